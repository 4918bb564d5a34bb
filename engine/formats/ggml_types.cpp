// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/ggml_types.h"

#include <algorithm>
#include <iterator>

namespace sotto::formats {
namespace {

// Sizes from the block layouts: a 16-bit scale is 2 bytes, 32 4-bit values 16, and so on. Numbers
// 4, 5, 31-33 and 36-38 belonged to types that were withdrawn.
constexpr GgmlType kTypes[] = {
    {0, "F32", 1, 4},
    {1, "F16", 1, 2},
    {2, "Q4_0", 32, 18},
    {3, "Q4_1", 32, 20},
    {6, "Q5_0", 32, 22},
    {7, "Q5_1", 32, 24},
    {8, "Q8_0", 32, 34},
    {9, "Q8_1", 32, 36},
    {10, "Q2_K", 256, 84},
    {11, "Q3_K", 256, 110},
    {12, "Q4_K", 256, 144},
    {13, "Q5_K", 256, 176},
    {14, "Q6_K", 256, 210},
    {15, "Q8_K", 256, 292},
    {16, "IQ2_XXS", 256, 66},
    {17, "IQ2_XS", 256, 74},
    {18, "IQ3_XXS", 256, 98},
    {19, "IQ1_S", 256, 50},
    {20, "IQ4_NL", 32, 18},
    {21, "IQ3_S", 256, 110},
    {22, "IQ2_S", 256, 82},
    {23, "IQ4_XS", 256, 136},
    {24, "I8", 1, 1},
    {25, "I16", 1, 2},
    {26, "I32", 1, 4},
    {27, "I64", 1, 8},
    {28, "F64", 1, 8},
    {29, "IQ1_M", 256, 56},
    {30, "BF16", 1, 2},
    {34, "TQ1_0", 256, 54},
    {35, "TQ2_0", 256, 66},
    {39, "MXFP4", 32, 17},
    {40, "NVFP4", 64, 36},
    {41, "Q1_0", 128, 18},
    {kFirstOwnType, "BOOL", 1, 1},
    {kFirstOwnType + 1, "U8", 1, 1},
    {kFirstOwnType + 2, "U16", 1, 2},
    {kFirstOwnType + 3, "U32", 1, 4},
    {kFirstOwnType + 4, "U64", 1, 8},
    {kFirstOwnType + 5, "F8_E4M3", 1, 1},
    {kFirstOwnType + 6, "F8_E5M2", 1, 1},
    {kFirstOwnType + 7, "F8_E8M0", 1, 1},
    {kFirstOwnType + 8, "C64", 1, 8},
    {kFirstOwnType + 9, "F4", 2, 1},
    {kFirstOwnType + 10, "F6_E2M3", 4, 3},
    {kFirstOwnType + 11, "F6_E3M2", 4, 3},
};

} // namespace

const GgmlType* find_ggml_type(std::uint32_t id) {
    const auto* type = std::ranges::find(kTypes, id, &GgmlType::id);
    return type != std::end(kTypes) ? type : nullptr;
}

const GgmlType* find_ggml_type(std::string_view name) {
    const auto* type =
        std::ranges::find(kTypes, name, [](const GgmlType& t) { return std::string_view(t.name); });
    return type != std::end(kTypes) ? type : nullptr;
}

const char* ggml_type_name(std::uint32_t id) {
    const GgmlType* type = find_ggml_type(id);
    return type ? type->name : "an unknown type";
}

} // namespace sotto::formats
