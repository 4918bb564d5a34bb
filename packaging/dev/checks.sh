# SPDX-License-Identifier: Apache-2.0
# `./dev test`: every check in stages, cheap ones first, with a table of them at the end.
# shellcheck shell=bash

kStages=(packages style reference release templates aarch64 sanitize fuzz threads tidy)
kFuzzersAtOnce=2
kSources=('*.cpp' '*.h')

# source_files: ours, tracked or new; without git (a tarball) all of the tree
source_files() {
    git ls-files -co --exclude-standard -- "${kSources[@]}" 2>/dev/null | grep . && return 0
    find app engine kernels ui tests \( -name '*.cpp' -o -name '*.h' \) -print
}

test_environment() {
    local sanitizers="$root/tests/support"
    export_test_files
    export LC_ALL=C.UTF-8
    export CTEST_OUTPUT_ON_FAILURE=1
    export ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1"
    export LSAN_OPTIONS="suppressions=$sanitizers/lsan.supp:print_suppressions=0"
    export UBSAN_OPTIONS="print_stacktrace=1"
    export TSAN_OPTIONS="suppressions=$sanitizers/tsan.supp:second_deadlock_stack=1:halt_on_error=1"
    [[ -x /usr/bin/llvm-symbolizer-14 ]] || return 0
    export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-14
    TSAN_OPTIONS+=":external_symbolizer_path=/usr/bin/llvm-symbolizer-14"
    UBSAN_OPTIONS+=":external_symbolizer_path=/usr/bin/llvm-symbolizer-14"
}

# A test that fails is run once more: on a shared machine a pause of the whole process can exceed a limit
# on a stall of the window. A test that fails twice has failed.
run_ctest() {
    local preset=$1
    shift
    ctest --test-dir "build/$preset" -j "$(jobs_count)" --no-tests=error --repeat until-pass:2 "$@" </dev/null
}

stage_packages() { test_packages && test_files; }

stage_style() {
    local output
    output=$(source_files | xargs -r clang-format-14 --dry-run -Werror 2>&1) && return 0
    grep -oE '^[^ :]+:[0-9]+:[0-9]+: error' <<<"$output" | cut -d: -f1 | sort | uniq -c
    explain "the files above are not formatted as .clang-format says (with the number of places)" \
        "Mend them with: clang-format-14 -i FILE..."
    return 1
}

# python_for_tests MODULE PACKAGE: the interpreter that has it
python_for_tests() {
    python_that -c "import $1" && return 0
    explain "no python3 here can import $1" \
        "On Debian './dev test packages' installs $2; elsewhere install it, for python3 or /usr/bin/python3."
    return 1
}

# The numbers in tests/data tell a right engine from the wrong ones that we know of.
stage_reference() {
    local python
    python=$(python_for_tests numpy python3-numpy) || return 1
    "$python" -B tests/reference/tiny_models.py --check && return 0
    explain "tests/reference/tiny_models.py --check failed (above)" \
        "A fault that no number would show, or choices too close: another seed or a larger model in spec.py."
    return 1
}

# Every chat template of the samples, by ours and by Python's jinja2: a table of what differs
stage_templates() {
    local python
    python=$(python_for_tests jinja2 python3-jinja2) || return 1
    [[ -d $SOTTO_CHAT_TEMPLATES ]] || {
        explain "the chat templates are not there: $SOTTO_CHAT_TEMPLATES" "./dev test packages fetches them."
        return 1
    }
    build_preset ci render_template || return 1
    "$python" -B tests/reference/render_templates.py "$SOTTO_CHAT_TEMPLATES" build/ci/tests/render_template
}

stage_release() { build_preset ci && run_ctest ci; }
stage_aarch64() { build_preset aarch64 && run_ctest aarch64; }
stage_sanitize() { build_preset asan && run_ctest asan; }

# Each target for some seconds, from the inputs kept in tests/fuzz/corpus/<target>
stage_fuzz() {
    local targets=() target failed=0
    build_preset asan || return 1
    for target in build/asan/tests/fuzz_*; do
        [[ -f $target && -x $target ]] && targets+=("${target##*/fuzz_}")
    done
    ((${#targets[@]})) || { explain "build/asan/tests holds no fuzz target"; return 1; }
    say "fuzzing for ${SOTTO_FUZZ_SECONDS:-20} s each, $kFuzzersAtOnce at a time: ${targets[*]}"
    export -f fuzz_one
    # shellcheck disable=SC2016 # the inner bash expands it
    printf '%s\0' "${targets[@]}" | xargs -0 -n 1 -P "$kFuzzersAtOnce" bash -c 'fuzz_one "$1"' fuzz
    for target in "${targets[@]}"; do report_fuzzing "$target" || failed=$((failed + 1)); done
    say "fuzz targets: ${#targets[@]}, with a fault: $failed"
    ((failed == 0))
}

# fuzz_one NAME: what it says goes into a log, how it ended into a file; two that print at once cannot be read
fuzz_one() {
    local name=$1 work=build/asan/found/$1 seeds=tests/fuzz/corpus/$1
    mkdir -p "$work"
    [[ -d $seeds ]] || seeds=
    rm -f "$work.status"
    "build/asan/tests/fuzz_$name" -max_total_time="${SOTTO_FUZZ_SECONDS:-20}" -timeout=10 -rss_limit_mb=2048 \
        -verbosity=0 -print_funcs=0 -print_final_stats=1 -artifact_prefix="$work/" "$work" ${seeds:+"$seeds"} \
        >"$work.log" 2>&1
    printf '%s\n' "$?" >"$work.status"
}

report_fuzzing() {
    local name=$1 found=build/asan/found/$1
    printf '%s\n' "-- $name"
    grep -vE '^stat::(new_units|slowest|average)|# Uses: |ecommended dictionary|^(INFO|Dictionary)' "$found.log"
    [[ $(cat "$found.status" 2>/dev/null) == 0 ]] && return 0
    explain "the fuzz target $name found a fault (above)" \
        "Its input is the file named after 'Test unit written to'; once more: build/asan/tests/fuzz_$name FILE"
    return 1
}

# ThreadSanitizer of clang 14 cannot place its shadow where addresses are too random.
without_address_randomisation() {
    if setarch -R true 2>/dev/null; then setarch -R "$@"; else "$@"; fi
}

# The parts that have threads of their own. Qt itself is not instrumented, hence tsan.supp.
stage_threads() {
    local names=(test_engine_runtime) source
    for source in tests/ui/bridge/tst_*.cpp; do
        [[ -e $source ]] && names+=("$(basename "$source" .cpp)")
    done
    build_preset tsan "${names[@]}" || return 1
    local pattern
    pattern=$(IFS='|'; printf '%s' "${names[*]#test_}")
    without_address_randomisation ctest --test-dir build/tsan -j 1 --no-tests=error -R "^($pattern)\$" </dev/null
}

# Clang's own list of commands: a command for several sources at once ("unity"), so that headers are read once for
# all of them. Tests are left to the compilers and sanitizers.
stage_tidy() {
    build_preset asan || return 1
    product_units | xargs -r -P "$(jobs_count)" -n 2 clang-tidy-14 -p build/asan --quiet 2>build/asan/tidy.log && return 0
    explain "clang-tidy has found something (above, or in build/asan/tidy.log); .clang-tidy lists what is looked for"
    return 1
}

product_units() {
    sed -n 's/^ *"file": "\(.*\)".*/\1/p' build/asan/compile_commands.json |
        grep -E "^$root/((app|engine|kernels|ui)/.*\.cpp|build/asan/(app|engine|kernels|ui)/.*/unity_[^/]*)\$"
}

print_table() {
    local line
    printf '\n%-12s %-8s %8s\n' stage result seconds
    for line in "${results[@]}"; do
        # shellcheck disable=SC2086 # three words
        printf '%-12s %-8s %8s\n' $line
    done
}

# run_stage NAME: adds to results; later stages are skipped only where they cannot work
run_stage() {
    local name=$1 start=$SECONDS outcome=passed
    if ((blocked)); then
        results+=("$name skipped 0")
        return
    fi
    printf '\n== %s\n' "$name"
    "stage_$name" || outcome=failed
    results+=("$name $outcome $((SECONDS - start))")
    [[ $outcome == passed ]] && return
    failed=$((failed + 1))
    [[ $name == packages ]] && blocked=1
}

dev_test() {
    local results=() failed=0 blocked=0 stage stages=("$@")
    ((${#stages[@]})) || stages=("${kStages[@]}")
    for stage in "${stages[@]}"; do
        declare -F "stage_$stage" >/dev/null ||
            die "there is no test stage '$stage'" "The stages are: ${kStages[*]}"
    done
    test_environment
    [[ " ${stages[*]} " == *" packages "* ]] || warn_of_missing_test_files
    exec 2>&1 # one stream, in order, for a log
    for stage in "${stages[@]}"; do run_stage "$stage"; done
    print_table
    ((failed == 0 && blocked == 0)) || exit 1
}
