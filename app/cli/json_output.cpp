// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sotto::cli {

Json to_json(const Timings& t) {
    return Json{{"load_ms", t.load_ms},
                {"ttft_ms", t.ttft_ms},
                {"prefill_tokens", t.prefill_tokens},
                {"prefill_tokens_per_s", t.prefill_tokens_per_s},
                {"reused_tokens", t.reused_tokens},
                {"decode_tokens", t.decode_tokens},
                {"decode_tokens_per_s", t.decode_tokens_per_s},
                {"threads_used", t.threads_used}};
}

void print_json(const Json& json) {
    std::puts(json.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
}

} // namespace sotto::cli
