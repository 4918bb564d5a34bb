// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/safetensors.h"

#include "engine/base/message.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_names.h"
#include "engine/formats/header_reader.h"
#include "engine/formats/safetensors_parser.h"

#include <array>
#include <cstring>
#include <new>

namespace sotto::formats {
namespace {

Error bad(std::string message) {
    return {ErrorCode::bad_file, std::move(message)};
}

} // namespace

Result<std::unique_ptr<SafetensorsFile>> SafetensorsFile::open(const std::string& path) {
    auto file = open_file(path);
    if (!file) {
        return std::move(file).error();
    }
    try {
        return SafetensorsParser(*std::move(file)).run();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "'" + path + "': no memory is left for its header"};
    }
}

SafetensorsParser::SafetensorsParser(std::unique_ptr<InputFile> file)
    : result_(new SafetensorsFile), file_(*file) {
    result_->path_ = file->path();
    result_->files_.push_back(std::move(file));
}

Result<std::unique_ptr<SafetensorsFile>> SafetensorsParser::run() {
    if (auto done = parse(); !done) {
        Error error = std::move(done).error();
        const std::string path = "'" + file_.path() + "'";
        if (!error.message.starts_with(path)) { // errors of reads name it themselves
            error.message = path + ": " + error.message;
        }
        return error;
    }
    return std::move(result_);
}

Result<void> SafetensorsParser::parse() {
    auto text = read_header();
    if (!text) {
        return std::move(text).error();
    }
    auto header = json::Document::parse(*text, {kMaxSafetensorsHeader, 16 * kMaxTensors, 8});
    if (!header) {
        return Error{header.error().code, "its header is broken: " + header.error().message};
    }
    text->clear();
    text->shrink_to_fit();
    const json::Value root = header->root();
    if (root.size() > kMaxTensors) {
        return bad("the header has " + std::to_string(root.size()) + " tensors, at most " +
                   std::to_string(kMaxTensors) + " are allowed");
    }
    for (std::size_t i = 0; i < root.size(); ++i) {
        auto done = root.key(i) == "__metadata__" ? read_metadata(root.at(i))
                                                  : read_tensor(root.key(i), root.at(i));
        if (!done) {
            return done;
        }
    }
    return check_coverage();
}

Result<std::string> SafetensorsParser::read_header() {
    std::array<char, 64> front{};
    const std::size_t n_front = std::min<std::uint64_t>(front.size(), file_.size());
    if (auto done = file_.read(0, std::as_writable_bytes(std::span(front)).first(n_front)); !done) {
        return std::move(done).error();
    }
    std::uint64_t n = 0;
    std::memcpy(&n, front.data(), sizeof n);
    if (n_front < 9 || front[8] != '{') { // the shortest is {}
        const std::string_view kind = guess_file_kind({front.data(), n_front});
        return bad(
            std::string("this is no safetensors file: it does not begin with a length and '{'")
                .append(kind.empty() ? "" : "; it looks like ")
                .append(kind));
    }
    if (n > kMaxSafetensorsHeader || n > file_.size() - sizeof n) {
        return bad("the header has " + std::to_string(n) + " bytes, the file has " +
                   std::to_string(file_.size()) + " and " + std::to_string(kMaxSafetensorsHeader) +
                   " are allowed");
    }
    std::string text(static_cast<std::size_t>(n), '\0');
    if (auto done = file_.read(sizeof n, std::as_writable_bytes(std::span(text))); !done) {
        return std::move(done).error();
    }
    data_ = sizeof n + n;
    return text;
}

Result<void> SafetensorsParser::read_metadata(json::Value value) {
    if (!value.is(json::Kind::object)) {
        return bad(std::string("'__metadata__' is ") + json::kind_name(value.kind()) +
                   ", an object is needed");
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (!value.at(i).is(json::Kind::string)) {
            return bad("key " + message::quoted(value.key(i)) + " of '__metadata__' is " +
                       json::kind_name(value.at(i).kind()) + ", a string is needed");
        }
        result_->metadata_.emplace_back(value.key(i), value.at(i).string());
    }
    return {};
}

} // namespace sotto::formats
