// SPDX-License-Identifier: Apache-2.0
// What only the model loader can know is wrong with a file. (The header's own faults:
// tests/engine/formats.)
#include "engine/model/loaded_model.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <functional>

using namespace sotto;
using namespace sotto::test;

namespace {

const kernels::KernelTable& table() {
    return kernels::kernel_table(kernels::Isa::scalar);
}

Result<std::shared_ptr<const model::LoadedModel>> load(const GgufWriter& w,
                                                       const LoadOptions& options = {}) {
    const TempFile file(w.build());
    return model::LoadedModel::load(file.path(), options, table());
}

struct BadCase {
    const char* name;
    std::function<void(GgufWriter&)> bend;
    const char* message; // a part of it
};

void rename(GgufWriter& w, const char* from, const char* to) {
    w.tensor(from).name = to;
}

const BadCase kBad[] = {
    {"no architecture", [](GgufWriter& w) { w.drop("general.architecture"); },
     "general.architecture"},
    {"unknown architecture", [](GgufWriter& w) { w.set("general.architecture", "notamodel"); },
     "'notamodel' is not supported; known are: llama"},
    {"no width", [](GgufWriter& w) { w.drop("llama.embedding_length"); }, "llama.embedding_length"},
    {"no layers", [](GgufWriter& w) { w.drop("llama.block_count"); }, "llama.block_count"},
    {"no heads key", [](GgufWriter& w) { w.drop("llama.attention.head_count"); },
     "llama.attention.head_count"},
    {"no heads", [](GgufWriter& w) { w.set("llama.attention.head_count", std::uint32_t{0}); },
     "head_count"},
    {"heads do not divide",
     [](GgufWriter& w) { w.set("llama.attention.head_count_kv", std::uint32_t{3}); },
     "cannot share 3"},
    {"width 0", [](GgufWriter& w) { w.set("llama.embedding_length", std::uint32_t{0}); },
     "embedding_length"},
    {"another width", [](GgufWriter& w) { w.set("llama.embedding_length", std::uint32_t{128}); },
     "token_embd.weight"},
    {"a text for a number", [](GgufWriter& w) { w.set("llama.block_count", "two"); },
     "llama.block_count"},
    {"one layer too many", [](GgufWriter& w) { w.set("llama.block_count", std::uint32_t{3}); },
     "blk.2."},
    {"a tensor under another name",
     [](GgufWriter& w) { rename(w, "blk.0.attn_q.weight", "blk.0.other"); },
     "'blk.0.attn_q.weight' is missing"},
    {"no embeddings", [](GgufWriter& w) { rename(w, "token_embd.weight", "x"); },
     "token_embd.weight"},
    {"the wrong way round",
     [](GgufWriter& w) {
         std::swap(w.tensor("blk.1.attn_v.weight").dims[0],
                   w.tensor("blk.1.attn_v.weight").dims[1]);
     },
     "blk.1.attn_v.weight"},
    {"an odd head", [](GgufWriter& w) { w.set("llama.attention.key_length", std::uint32_t{60}); },
     "60"},
    {"rope over an odd number",
     [](GgufWriter& w) { w.put("llama.rope.dimension_count", std::uint32_t{33}); }, "33"},
    {"unknown rope scaling", [](GgufWriter& w) { w.put("llama.rope.scaling.type", "longrope"); },
     "longrope"},
    {"no tokenizer", [](GgufWriter& w) { w.drop("tokenizer.ggml.model"); }, "tokenizer.ggml.model"},
    {"another tokenizer", [](GgufWriter& w) { w.set("tokenizer.ggml.model", "wordpiece"); },
     "wordpiece"},
    {"no tokens", [](GgufWriter& w) { w.drop("tokenizer.ggml.tokens"); }, "tokenizer.ggml.tokens"},
    {"numbers for tokens",
     [](GgufWriter& w) {
         w.set("tokenizer.ggml.tokens", std::vector<std::int32_t>{1, 2});
     },
     "tokenizer.ggml.tokens"},
    {"one string for tokens", [](GgufWriter& w) { w.set("tokenizer.ggml.tokens", "abc"); },
     "tokenizer.ggml.tokens"},
    {"more tokens than rows",
     [](GgufWriter& w) {
         w.set("tokenizer.ggml.tokens", std::vector<std::string>(400, "x"));
         w.drop("tokenizer.ggml.token_type");
     },
     "400 tokens"},
    {"few types",
     [](GgufWriter& w) { w.set("tokenizer.ggml.token_type", std::vector<std::int32_t>(50, 1)); },
     "50"},
    {"scores that are no floats",
     [](GgufWriter& w) {
         w.set("tokenizer.ggml.model", "llama");
         w.put("tokenizer.ggml.scores", std::vector<std::int32_t>(277, 1));
     },
     "tokenizer.ggml.scores"},
    {"no merges", [](GgufWriter& w) { w.drop("tokenizer.ggml.merges"); }, "list of merges"},
    {"a merge of one part",
     [](GgufWriter& w) { w.set("tokenizer.ggml.merges", std::vector<std::string>{"ab"}); }, "'ab'"},
    {"a weight type without kernels",
     [](GgufWriter& w) {
         GgufWriter::Tensor& t = w.tensor("blk.0.ffn_up.weight");
         t.type = 16;
         t.bytes = std::string(256 * 512 / 256 * 66, 0);
     },
     "is stored as IQ2_XXS, which is not supported: F32, F16, Q4_0,"},
};

} // namespace

TEST_CASE("files whose header is right and whose content is not are refused, naming the reason") {
    for (const BadCase& bad : kBad) {
        CAPTURE(bad.name);
        GgufWriter w = tiny_model();
        bad.bend(w);
        const auto model = load(w);
        REQUIRE_FALSE(model.has_value());
        CAPTURE(model.error().message);
        CHECK(model.error().message.find(bad.message) != std::string::npos);
    }
}

TEST_CASE("odd files that can be run load, with a word where it matters") {
    const auto loads = [](const std::function<void(GgufWriter&)>& bend) {
        GgufWriter w = tiny_model();
        bend(w);
        auto model = load(w);
        if (!model) {
            FAIL(model.error().message);
        }
        return *std::move(model);
    };
    const auto plain = loads([](GgufWriter&) {});
    CHECK(plain->info().warnings.empty());
    CHECK_FALSE(plain->info().template_warning.empty()); // no template: a sentence of its own
    CHECK(loads([](GgufWriter& w) { w.set("tokenizer.ggml.eos_token_id", std::uint32_t{277}); })
              ->info()
              .warnings.size() == 1);
    CHECK(loads([](GgufWriter& w) { w.drop("tokenizer.ggml.pre"); })->info().warnings.size() == 1);
    CHECK(loads([](GgufWriter& w) { w.drop("llama.attention.layer_norm_rms_epsilon"); })
              ->info()
              .warnings.size() == 1);
    CHECK(loads([](GgufWriter& w) { w.drop("llama.rope.freq_base"); })->config().rope_freq_base ==
          10000.0);
    CHECK(loads([](GgufWriter& w) { w.set("llama.context_length", std::uint64_t{512}); })
              ->config()
              .n_ctx_train == 512);
    CHECK(loads([](GgufWriter& w) {
              w.set("llama.attention.head_count_kv", std::vector<std::uint32_t>{2, 2});
          })
              ->config()
              .n_head_kv == 2);
    CHECK(loads([](GgufWriter& w) { w.put("tokenizer.chat_template", "{{ broken"); })
              ->info()
              .chat_template == "ChatML (built in)");
    CHECK(loads([](GgufWriter& w) { w.add("notes.extra", {4}, std::vector<float>(4)); }) !=
          nullptr);
}

TEST_CASE("a GGUF file's named chat templates") {
    GgufWriter w = tiny_model();
    w.put("tokenizer.chat_templates", std::vector<std::string>{"tool_use"});
    w.put("tokenizer.chat_template.tool_use", "T");
    w.put("tokenizer.chat_template.", "no name");
    w.put("tokenizer.chat_template_x", "no template");
    w.put("tokenizer.chat_template.number", std::uint32_t{1});
    const ChatMessage messages[] = {{"user", "Hi"}};
    ChatOptions tools;
    tools.tools = R"([{"type": "function", "function": {"name": "f"}}])";
    const auto alone = *load(w);
    CHECK(alone->render_chat(messages, tools)->text == "T");
    CHECK(alone->info().template_warning.find("'tool_use'") != std::string::npos);
    w.put("tokenizer.chat_template", "D");
    const auto both = *load(w);
    CHECK(both->render_chat(messages, {})->text == "D");
    CHECK(both->render_chat(messages, tools)->text == "T");
    CHECK(both->info().template_source == "D");
}

TEST_CASE("text that a person typed never becomes a special token; the template's does") {
    GgufWriter w = tiny_model();
    w.put("tokenizer.chat_template",
          "{% for m in messages %}<|im_start|>{{ m['role'] + '\n' + m['content'] }}<|im_end|>\n"
          "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}");
    const auto model = *load(w);
    const ChatMessage messages[] = {{"user", "a<|im_end|>b"}};
    const auto chat = model->render_chat(messages, {});
    REQUIRE(chat.has_value());
    CHECK(chat->text == "<|im_start|>user\na<|im_end|>b<|im_end|>\n<|im_start|>assistant\n");
    CHECK(std::ranges::count(chat->tokens, TinyVocabulary::kImEnd) == 1);
    CHECK(std::ranges::count(model->tokenize("<|im_end|>", false, false), TinyVocabulary::kImEnd) ==
          0);
    CHECK(model->tokenize("<|im_end|>", false, true) ==
          std::vector<TokenId>{TinyVocabulary::kImEnd});
}

TEST_CASE("a load can be cancelled, tells its progress, and a file that is cut while it loads is "
          "an error") {
    LoadOptions options;
    options.cancel.cancel();
    const auto cancelled = load(tiny_model(), options);
    REQUIRE_FALSE(cancelled.has_value());
    CHECK(cancelled.error().code == ErrorCode::cancelled);
    std::int64_t done = 0, total = 0;
    LoadOptions watched;
    watched.on_progress = [&](std::int64_t d, std::int64_t t) {
        CHECK(d >= done);
        done = d;
        total = t;
    };
    REQUIRE(load(tiny_model(), watched).has_value());
    CHECK(done == total);
    CHECK(total > 1000000);
}

TEST_CASE("a file cut at any length is an error within 100 ms") {
    TinyShape shape;
    shape.n_layer = 1;
    const std::string whole = tiny_model(shape).build();
    for (std::size_t n = 0; n < whole.size(); n += n < 9000 ? 61 : 4999) {
        CAPTURE(n);
        const TempFile file(whole.substr(0, n));
        const auto start = std::chrono::steady_clock::now();
        REQUIRE_FALSE(model::LoadedModel::load(file.path(), {}, table()).has_value());
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(100));
    }
}

TEST_CASE(
    "a begin token is added where the file asks for it, and for Llama 3 files that do not say") {
    const auto begins = [](const std::function<void(GgufWriter&)>& bend) {
        GgufWriter w = tiny_model();
        w.put("tokenizer.ggml.bos_token_id", std::uint32_t{TinyVocabulary::kEndOfText});
        bend(w);
        const auto model = *load(w);
        return model->tokenize("a", true, false).size() == 2;
    };
    CHECK_FALSE(begins([](GgufWriter&) {}));
    CHECK(begins([](GgufWriter& w) { w.put("tokenizer.ggml.add_bos_token", true); }));
    CHECK(begins([](GgufWriter& w) { w.set("tokenizer.ggml.pre", "llama-bpe"); }));
    CHECK_FALSE(begins([](GgufWriter& w) {
        w.set("tokenizer.ggml.pre", "llama-bpe").put("tokenizer.ggml.add_bos_token", false);
    }));
}

TEST_CASE("a text that begins with the begin token, as a rendered chat does, gets no second one") {
    GgufWriter w = tiny_model();
    w.put("tokenizer.ggml.bos_token_id", std::uint32_t{TinyVocabulary::kEndOfText});
    w.put("tokenizer.ggml.add_bos_token", true);
    const auto model = *load(w);
    const auto ids = model->tokenize("a", true, true);
    CHECK(model->tokenize("<|endoftext|>a", true, true) == ids);
    CHECK(model->tokenize("<|endoftext|>a", true, false).size() > 3); // typed: ordinary text
    CHECK(model->tokenize("<|endoftext|><|endoftext|>a", false, true).size() == 3); // as it says
}
