# SPDX-License-Identifier: Apache-2.0
# Messages, and the questions that several parts of `dev` ask of the machine.
# shellcheck shell=bash

say() { printf '%s\n' "-- $*" >&2; }
warn() { printf '%s\n' "-- note: $*" >&2; }

# explain MESSAGE [WHAT TO DO]...: what happened, then what a person can do about it, a line each
explain() {
    printf '\n%s\n' "Error: $1" >&2
    shift
    local line
    for line in "$@"; do printf '  %s\n' "$line" >&2; done
}

# die MESSAGE [WHAT TO DO]...
die() {
    explain "$@"
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

home_dir() { printf '%s' "${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}"; }

# xdg_dir NAME DEFAULT-BELOW-HOME: the XDG base directory; relative values are ignored, as the
# specification asks
xdg_dir() {
    local value=${!1:-}
    [[ $value == /* ]] || value="$(home_dir)/$2"
    printf '%s' "$value"
}

# free_mb PATH: megabytes that may be written below PATH, which need not exist yet
free_mb() {
    local path=$1
    while [[ ! -e $path ]]; do path=$(dirname "$path"); done
    df -Pm "$path" 2>/dev/null | awk 'NR == 2 { print $4 }'
}

# need_space MEGABYTES PATH PURPOSE: an error now is better than a full disk in the middle
need_space() {
    local free
    free=$(free_mb "$2")
    [[ -z $free || $free -ge $1 ]] && return 0
    explain "too little room for $3: $1 MB are needed in $2, $free MB are free" \
        "Make room on that disk and run the same command again; what is done is kept."
    return 1
}

# jobs_count: how many compilers may run beside each other: one a core, and 1.2 GB of memory each
jobs_count() {
    [[ -n ${SOTTO_JOBS:-} ]] && { printf '%s' "$SOTTO_JOBS"; return; }
    local cores memory_mb jobs
    cores=$(nproc 2>/dev/null || echo 2)
    memory_mb=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo 2>/dev/null)
    jobs=$((${memory_mb:-4096} / 1200))
    ((jobs > cores)) && jobs=$cores
    ((jobs < 1)) && jobs=1
    printf '%s' "$jobs"
}

# take_lock FILE PURPOSE: one `dev` at a time; the lock is gone with the process (file descriptor 9)
take_lock() {
    have flock || return 0
    { exec 9>"$1"; } 2>/dev/null || {
        explain "the file $1 cannot be written by $(id -un)" "Remove it, and run the same command again."
        return 1
    }
    flock -n 9 && return 0
    say "another ./dev is at work ($2); waiting until it is done"
    flock 9
}
drop_lock() { exec 9>&-; }
