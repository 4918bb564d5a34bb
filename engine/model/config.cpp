// SPDX-License-Identifier: Apache-2.0
#include "engine/model/config.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace sotto::model {
namespace {

Error bad(std::string message) {
    return Error{ErrorCode::bad_file, std::move(message)};
}

/// Reads keys of one architecture; the first failure is kept and stops further reads.
class KeyReader {
  public:
    KeyReader(const formats::GgufFile& file, std::string prefix)
        : file_(file), prefix_(std::move(prefix)) {}

    /// An integer in min..max; `fallback` where the key is missing, an error if there is none.
    int integer(const char* key, std::int64_t min, std::int64_t max,
                std::optional<int> fallback = {}) {
        if (error_) {
            return 0;
        }
        const std::string name = prefix_ + key;
        auto value = file_.get_int(name);
        if (!value) {
            fail(std::move(value).error());
            return 0;
        }
        return check(name, *value, min, max, fallback);
    }

    /// The same for a key that may hold one number for every layer; all must be equal.
    int uniform(const char* key, int n_layer, std::int64_t min, std::int64_t max,
                std::optional<int> fallback) {
        if (error_) {
            return 0;
        }
        const std::string name = prefix_ + key;
        auto values = file_.get_ints(name);
        if (!values) {
            fail(std::move(values).error());
            return 0;
        }
        if (!*values) {
            return check(name, std::nullopt, min, max, fallback);
        }
        const std::vector<std::int64_t>& list = **values;
        if (list.empty() ||
            (list.size() != 1 && list.size() != static_cast<std::size_t>(n_layer))) {
            fail(bad("key '" + name + "' has " + std::to_string(list.size()) + " values for " +
                     std::to_string(n_layer) + " layers"));
            return 0;
        }
        for (const std::int64_t v : list) {
            if (v != list.front()) {
                fail(
                    Error{ErrorCode::unsupported,
                          "key '" + name + "' differs between layers, which is not supported yet"});
                return 0;
            }
        }
        return check(name, list.front(), min, max, fallback);
    }

    double real(const char* key, double min, double max, std::optional<double> fallback) {
        if (error_) {
            return 0;
        }
        const std::string name = prefix_ + key;
        auto value = file_.get_float(name);
        if (!value) {
            fail(std::move(value).error());
            return 0;
        }
        if (!*value && !fallback) {
            fail(bad("key '" + name + "' is missing"));
            return 0;
        }
        const double v = value->value_or(fallback.value_or(0));
        if (!std::isfinite(v) || v < min || v > max) {
            fail(bad("key '" + name + "' is " + std::to_string(v) + ", outside " +
                     std::to_string(min) + " to " + std::to_string(max)));
        }
        return v;
    }

    std::string text(const char* key) {
        if (error_) {
            return {};
        }
        auto value = file_.get_string(prefix_ + key);
        if (!value) {
            fail(std::move(value).error());
            return {};
        }
        return value->value_or("");
    }

    void fail(Error error) {
        if (!error_) {
            error_ = std::move(error);
        }
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  private:
    int check(const std::string& name, std::optional<std::int64_t> value, std::int64_t min,
              std::int64_t max, std::optional<int> fallback) {
        if (!value) {
            if (!fallback) {
                fail(bad("key '" + name + "' is missing"));
            }
            return fallback.value_or(0);
        }
        if (*value < min || *value > max) {
            fail(bad("key '" + name + "' is " + std::to_string(*value) + ", outside " +
                     std::to_string(min) + " to " + std::to_string(max)));
            return 0;
        }
        return static_cast<int>(*value);
    }

    const formats::GgufFile& file_;
    std::string prefix_;
    std::optional<Error> error_;
};

void read_attention(KeyReader& keys, ModelConfig& c) {
    c.n_head = keys.uniform("attention.head_count", c.n_layer, 1, 65536, {});
    c.n_head_kv = keys.uniform("attention.head_count_kv", c.n_layer, 1, 65536, c.n_head);
    if (keys.error()) {
        return;
    }
    if (c.n_head % c.n_head_kv != 0) {
        keys.fail(bad(std::to_string(c.n_head) + " attention heads cannot share " +
                      std::to_string(c.n_head_kv) + " key/value heads"));
        return;
    }
    c.head_dim = keys.integer("attention.key_length", 1, 512, c.n_embd / c.n_head);
    const int value_length = keys.integer("attention.value_length", 1, 512, c.head_dim);
    if (!keys.error() && value_length != c.head_dim) {
        keys.fail(Error{ErrorCode::unsupported,
                        "keys of " + std::to_string(c.head_dim) + " and values of " +
                            std::to_string(value_length) + " dimensions are not supported"});
    }
    if (!keys.error() && (c.head_dim < 8 || c.head_dim > 512 || c.head_dim % 8 != 0)) {
        keys.fail(Error{ErrorCode::unsupported,
                        "a head of " + std::to_string(c.head_dim) +
                            " dimensions is not supported: multiples of 8 up to 512 are"});
    }
}

void read_rope(KeyReader& keys, ModelConfig& c) {
    c.n_rot = keys.integer("rope.dimension_count", 2, c.head_dim, c.head_dim);
    c.rope_freq_base = keys.real("rope.freq_base", 1.0, 1e15, 10000.0);
    if (!keys.error() && c.n_rot % 2 != 0) {
        keys.fail(bad("rope.dimension_count is " + std::to_string(c.n_rot) + ", an odd number"));
    }
    const std::string scaling = keys.text("rope.scaling.type");
    if (scaling == "linear") {
        c.rope_freq_scale = 1.0 / keys.real("rope.scaling.factor", 1e-3, 1e6, 1.0);
    } else if (!scaling.empty() && scaling != "none") {
        keys.fail(Error{ErrorCode::unsupported, "rope scaling '" + scaling +
                                                    "' is not supported yet: none and linear are"});
    }
}

} // namespace

Result<ModelConfig> read_config(const formats::GgufFile& file, std::vector<std::string>& warnings) {
    ModelConfig c;
    KeyReader general(file, "general.");
    c.architecture = general.text("architecture");
    c.name = general.text("name");
    if (general.error()) {
        return *general.error();
    }
    if (c.architecture.empty()) {
        return bad(
            "key 'general.architecture' is missing: the file does not say what model it holds");
    }
    KeyReader keys(file, c.architecture + ".");
    c.n_layer = keys.integer("block_count", 1, 4096, {});
    c.n_embd = keys.integer("embedding_length", 1, 1 << 20, {});
    c.n_ff = keys.integer("feed_forward_length", 1, 1 << 22, {});
    c.n_ctx_train = keys.integer("context_length", 1, 1 << 30, 2048);
    read_attention(keys, c);
    read_rope(keys, c);
    c.norm_rms_eps =
        static_cast<float>(keys.real("attention.layer_norm_rms_epsilon", 0.0, 1.0, 1e-5));
    if (keys.error()) {
        return *keys.error();
    }
    if (!file.find(c.architecture + ".attention.layer_norm_rms_epsilon")) {
        warnings.push_back("The file names no norm epsilon; 1e-5 is used.");
    }
    if (!file.find(c.architecture + ".context_length")) {
        warnings.push_back("The file names no context length; 2048 is used.");
    }
    return c;
}

} // namespace sotto::model
