// SPDX-License-Identifier: Apache-2.0
#include "engine/base/sha256.h"

#include <doctest/doctest.h>

using namespace sotto;

namespace {

std::string hash_in_pieces(const std::string& text, std::size_t piece) {
    Sha256 sha;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        const std::string part = text.substr(at, piece);
        sha.update(std::as_bytes(std::span(part)));
    }
    return sha.hex();
}

} // namespace

// The examples of FIPS 180
TEST_CASE("SHA-256 of known texts, whole and in pieces") {
    struct Row {
        std::string text, hex;
    };
    const Row rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {std::string(1000000, 'a'),
         "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (const Row& row : rows) {
        for (const std::size_t piece : {7u, 64u, 1000000u}) {
            CHECK(hash_in_pieces(row.text, piece) == row.hex);
        }
    }
}

TEST_CASE("a hash starts afresh after its digits were taken") {
    Sha256 sha;
    const std::string text = "abc";
    sha.update(std::as_bytes(std::span(text)));
    const std::string first = sha.hex();
    sha.update(std::as_bytes(std::span(text)));
    Sha256 moved = std::move(sha);
    CHECK(moved.hex() == first);
}
