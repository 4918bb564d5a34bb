// SPDX-License-Identifier: Apache-2.0
#include "engine/model/file_type.h"

namespace sotto::model {
namespace {

struct FileType {
    std::int64_t number;
    std::string_view name;
};
constexpr FileType kFileTypes[] = {
    {0, "F32"},     {1, "F16"},     {2, "Q4_0"},    {3, "Q4_1"},    {7, "Q8_0"},
    {8, "Q5_0"},    {9, "Q5_1"},    {10, "Q2_K"},   {11, "Q3_K_S"}, {12, "Q3_K_M"},
    {13, "Q3_K_L"}, {14, "Q4_K_S"}, {15, "Q4_K_M"}, {16, "Q5_K_S"}, {17, "Q5_K_M"},
    {18, "Q6_K"},   {21, "Q2_K_S"}, {25, "IQ4_NL"}, {30, "IQ4_XS"}, {32, "BF16"},
};

} // namespace

std::string_view file_type_name(std::int64_t file_type) {
    for (const FileType& t : kFileTypes) {
        if (t.number == file_type) {
            return t.name;
        }
    }
    return {};
}

} // namespace sotto::model
