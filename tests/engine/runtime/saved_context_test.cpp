// SPDX-License-Identifier: Apache-2.0
#include "tests/support/engine_runs.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace sotto;
using namespace sotto::test;
namespace fs = std::filesystem;

namespace {

std::string read_all(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write_all(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

struct Fixture {
    TempFile file{tiny_model().build()};
    std::shared_ptr<const Model> model = load_or_fail(file.path());
    TempFile saved{std::string("x")};

    std::unique_ptr<Engine> engine(CacheTypes types = {}, std::int64_t n_pages = 0) const {
        EngineOptions options;
        options.n_threads = 2;
        options.cache_type = types;
        options.max_kv_bytes = n_pages * 64 * model->info().kv_bytes(types, 1);
        return engine_or_fail(model, options);
    }
    /// Tokens of a chat that an engine has computed and saved.
    std::vector<TokenId> save(CacheTypes types = {}) const {
        const auto e = engine(types);
        const std::vector<TokenId> tokens = some_tokens(200);
        run(*e, request_for(tokens, 0));
        const auto n = e->save_context(tokens, saved.path());
        REQUIRE(n.has_value());
        REQUIRE(*n == 200);
        return tokens;
    }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "a saved chat goes on with the bits that it would have had") {
    for (const CacheTypes types :
         {CacheTypes(CacheType::F16), CacheTypes(CacheType::Q8_0, CacheType::F32)}) {
        std::vector<TokenId> tokens = save(types);
        const std::vector<TokenId> more = some_tokens(30, 277, 5);
        tokens.insert(tokens.end(), more.begin(), more.end());
        const auto e = engine(types);
        const auto restored = e->restore_context(saved.path());
        REQUIRE(restored.has_value());
        CHECK(*restored == 200);
        const Answer answer = run(*e, request_for(tokens, 20));
        CHECK(answer.timings.reused_tokens == 200);
        const Answer fresh = run(*engine(types), request_for(tokens, 20));
        CHECK(answer.tokens == fresh.tokens);
        CHECK(answer.hash == fresh.hash);
    }
}

TEST_CASE_FIXTURE(Fixture, "nothing computed is a file too, and what is not known is left out") {
    const auto e = engine();
    CHECK(*e->save_context(some_tokens(50), saved.path()) == 0);
    CHECK(*e->restore_context(saved.path()) == 0);
    CHECK(*e->save_context({}, saved.path()) == 0);
    run(*e, request_for(some_tokens(70), 0));
    std::vector<TokenId> longer = some_tokens(70);
    longer.resize(100, 5);
    CHECK(*e->save_context(longer, saved.path()) == 70);
    CHECK(*e->restore_context(saved.path()) == 70);
}

TEST_CASE_FIXTURE(Fixture, "a file of another model, cache or version changes nothing") {
    save();
    const auto code = [&](Engine& e) {
        const auto restored = e.restore_context(saved.path());
        REQUIRE_FALSE(restored.has_value());
        CHECK(e.status().kv_used_bytes == 0);
        CHECK(restored.error().message.find(saved.path()) != std::string::npos);
        return restored.error().code;
    };
    CHECK(code(*engine(CacheType::F32)) == ErrorCode::unsupported);
    CHECK(code(*engine(CacheTypes(CacheType::F16, CacheType::Q8_0))) == ErrorCode::unsupported);
    GgufWriter other = tiny_model();
    other.tensor("blk.1.ffn_down.weight").bytes[100] ^= 1;
    const TempFile other_file(other.build());
    CHECK(code(*engine_or_fail(load_or_fail(other_file.path()))) == ErrorCode::unsupported);
    std::string bytes = read_all(saved.path());
    bytes[12] ^= 1; // the version of the arithmetic
    write_all(saved.path(), bytes);
    CHECK(code(*engine()) == ErrorCode::unsupported);
    fs::remove(saved.path());
    CHECK(code(*engine()) == ErrorCode::io);
}

TEST_CASE_FIXTURE(Fixture, "a file that was damaged anywhere is refused as a whole") {
    const std::vector<TokenId> tokens = save();
    const std::string bytes = read_all(saved.path());
    const auto e = engine();
    const auto refused = [&](const std::string& damaged) {
        write_all(saved.path(), damaged);
        const auto restored = e->restore_context(saved.path());
        return !restored.has_value();
    };
    for (std::size_t at = 0; at < bytes.size(); at += at < 1100 ? 7 : bytes.size() / 97) {
        CAPTURE(at);
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
        CHECK(refused(damaged));
    }
    for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{87},
                                   std::size_t{900}, bytes.size() / 2, bytes.size() - 1}) {
        CAPTURE(size);
        CHECK(refused(bytes.substr(0, size)));
    }
    CHECK(refused(bytes + "x"));
    CHECK_FALSE(refused(bytes));
    CHECK(run(*e, request_for(tokens, 0)).timings.reused_tokens == 199);
}

TEST_CASE_FIXTURE(Fixture, "what cannot be written or held is an error, and no part is left") {
    save();
    const auto e = engine({}, 2);
    CHECK(e->restore_context(saved.path()).error().code == ErrorCode::no_memory);
    const auto failed = e->save_context(some_tokens(10), "/nowhere/at/all/chat.kv");
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().code == ErrorCode::io);
    CHECK(failed.error().message.find("/nowhere/at/all/chat.kv") != std::string::npos);
    const fs::path folder = fs::path(saved.path()).parent_path();
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        CHECK(entry.path().string().find(saved.path() + ".") == std::string::npos);
    }
}

TEST_CASE_FIXTURE(Fixture, "chats are saved and taken up while others are answered") {
    save();
    const auto e = engine();
    const Answer alone = run(*engine(), request_for(some_tokens(100, 277, 9), 100));
    Running running(*e, request_for(some_tokens(100, 277, 9), 100));
    for (int i = 0; i < 5; ++i) {
        CHECK(*e->restore_context(saved.path()) == 200);
        CHECK(*e->save_context(some_tokens(200), saved.path()) == 200);
    }
    CHECK(running.wait().hash == alone.hash);
}
