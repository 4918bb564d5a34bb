// SPDX-License-Identifier: Apache-2.0
#include "kernels/isa.h"
#include "kernels/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace sotto::kernels;

TEST_CASE("every supported level has a whole table of its own") {
    const auto isas = supported_isas();
    REQUIRE(!isas.empty());
    CHECK(isas.front() == Isa::scalar);
    for (Isa isa : isas) {
        CAPTURE(std::string(isa_name(isa)));
        CHECK(std::count(isas.begin(), isas.end(), isa) == 1);
        const KernelTable& table = kernel_table(isa);
        CHECK(table.isa == isa);
        for (auto product : table.matmul)
            CHECK((product != nullptr));
        CHECK((table.quantize_row != nullptr));
        CHECK((table.attention_finish != nullptr));
    }
}

TEST_CASE("choose_isa takes the fastest, or the one named, or says what there is") {
    Isa isa = Isa::scalar;
    std::string error;
    CHECK(choose_isa(nullptr, isa, error));
    CHECK(isa == supported_isas().back());
    CHECK(choose_isa("", isa, error));
    CHECK(isa == supported_isas().back());
    for (Isa level : supported_isas()) {
        CHECK(choose_isa(isa_name(level), isa, error));
        CHECK(isa == level);
    }
    CHECK(error.empty());
    CHECK_FALSE(choose_isa("avx9000", isa, error));
    CHECK(error.find("avx9000") != std::string::npos);
    CHECK(error.find("scalar") != std::string::npos);
    CHECK_FALSE(choose_isa("Scalar", isa, error));
}

TEST_CASE("a level of another processor is refused by name") {
    for (Isa isa : {Isa::avx2, Isa::avx2vnni, Isa::avx512, Isa::avx512vnni, Isa::neon, Isa::dotprod,
                    Isa::i8mm}) {
        const auto isas = supported_isas();
        const bool here = std::find(isas.begin(), isas.end(), isa) != isas.end();
        Isa chosen;
        std::string error;
        CHECK(choose_isa(isa_name(isa), chosen, error) == here);
    }
}

TEST_CASE("the CPU is described") {
    CHECK(cpu_description().find("scalar") != std::string::npos);
    CHECK(cpu_description().find('\0') == std::string::npos);
}
