# SPDX-License-Identifier: Apache-2.0
# Configuring and compiling: a preset of CMakePresets.json a folder below build/.
# shellcheck shell=bash

# A cache of another place (the tree was moved or copied) cannot be used: cmake refuses it.
drop_foreign_cache() {
    local cache=$1/CMakeCache.txt home
    [[ -f $cache ]] || return 0
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")
    [[ $home == "$root" ]] && return 0
    say "the tree was moved from $home: starting $1 afresh"
    rm -rf "${1:?}"
}

# configure PRESET: nothing to do while the presets are older than the build files
configure() {
    local preset=$1 dir="build/$1" log="build/$1.configure.log"
    drop_foreign_cache "$root/$dir" || return 1
    [[ -f $dir/build.ninja && $dir/build.ninja -nt CMakePresets.json ]] && return 0
    say "configuring $dir"
    cmake --preset "$preset" >"$log" 2>&1 && return 0
    # What an earlier, failed attempt wrote down may be what is in the way.
    cmake --fresh --preset "$preset" >"$log" 2>&1 && return 0
    grep -A 12 -m 3 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
    explain "cmake could not configure $dir (all of it: $log)" \
        "'Could not find' names a missing library: on Debian 12 './dev build' installs it, elsewhere you do." \
        "Anything else: remove the folder $dir and run the same command again."
    return 1
}

prepare_build_folder() {
    mkdir -p build 2>/dev/null && [[ -w build ]] || {
        explain "the folder $root/build cannot be written by $(id -un)" \
            "If root built here before: sudo chown -R $(id -un) '$root/build'"
        return 1
    }
    [[ ! -e build/$1 || -w build/$1 ]] || {
        explain "the folder $root/build/$1 belongs to $(stat -c %U "build/$1")" \
            "Give it to $(id -un) (sudo chown -R), or remove it, and run the same command again."
        return 1
    }
}

explain_compile_error() {
    explain "the build stopped in build/$1; the compiler's message is above" \
        "If you changed the sources, mend what it names. 'Killed' means too little memory: SOTTO_JOBS=1 ./dev build" \
        "'No space left' means a full disk. If nothing was changed and there is room, this is our fault: please report it."
}

# build_preset PRESET [TARGET...]
build_preset() {
    local preset=$1 status=0
    shift
    prepare_build_folder "$preset" || return 1
    need_space 1000 "$root/build" "the build in build/$preset" || return 1
    take_lock "build/.$preset.lock" "building build/$preset" || return 1
    if configure "$preset"; then
        NINJA_STATUS='[%f/%t, %es] ' ninja -C "build/$preset" -j "$(jobs_count)" "$@" || {
            explain_compile_error "$preset"
            status=1
        }
    else
        status=1
    fi
    drop_lock
    return "$status"
}

dev_build() {
    build_packages || exit 1
    build_preset release || exit 1
    say "built: build/release/app/desktop/sotto, build/release/app/cli/sotto-cli"
}
