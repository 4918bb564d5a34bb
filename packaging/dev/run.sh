# SPDX-License-Identifier: Apache-2.0
# Starting what was built: the window, or the terminal where there is no display.
# shellcheck shell=bash

kWindow=build/release/app/desktop/sotto
kTerminal=build/release/app/cli/sotto-cli

# why_no_display: says why a window cannot open, or nothing. Asked before the window is started: Qt
# aborts without a display.
why_no_display() {
    [[ -n ${QT_QPA_PLATFORM:-} ]] && return 0 # the caller knows better (offscreen, vnc)
    if [[ -n ${WAYLAND_DISPLAY:-} ]]; then
        [[ $WAYLAND_DISPLAY == /* ]] && local socket=$WAYLAND_DISPLAY
        [[ -S ${socket:-${XDG_RUNTIME_DIR:-}/$WAYLAND_DISPLAY} ]] && return 0
    fi
    [[ -n ${DISPLAY:-} ]] && return 0
    printf 'no display: DISPLAY is not set and WAYLAND_DISPLAY names none'
}

# open_window ARG...: status 3 where Qt itself could not reach the display
open_window() {
    local log status
    log=$(mktemp) || return 1
    exec 3>&1
    "$root/$kWindow" "$@" 2>&1 >&3 3>&- | tee "$log" >&2
    status=${PIPESTATUS[0]}
    exec 3>&-
    if ((status != 0)) && grep -qE 'could not connect to display|no Qt platform plugin could be init' "$log"; then
        status=3
    fi
    rm -f "$log"
    return "$status"
}

terminal_chat() {
    local model=$1
    shift
    exec "$root/$kTerminal" chat --model "$model" "$@"
}

# The window opens the last model by itself; the starter model is for the first time.
used_before() { [[ -n $(find "$(xdg_dir XDG_CONFIG_HOME .config)/sotto" -type f -print -quit 2>/dev/null) ]]; }

dev_run() {
    local model=${1:-} window_arguments=("$@") reason
    (($# <= 1)) || die "./dev run takes one model, not $#" "Quote a path that has blanks."
    build_packages || exit 1
    build_preset release || exit 1
    if [[ -z $model ]]; then
        starter_model || exit 1
        model=$(starter_path)
        used_before || window_arguments=("$model")
    elif [[ ! -e $model ]]; then
        die "there is no file '$model'" "Give the path of a GGUF file or a model's folder, or none for the starter model."
    fi
    reason=$(why_no_display)
    if [[ -z $reason ]]; then
        open_window ${window_arguments[@]+"${window_arguments[@]}"}
        local status=$?
        ((status == 3)) || exit "$status"
        reason="the display '${DISPLAY:-${WAYLAND_DISPLAY:-}}' cannot be reached"
    fi
    say "$reason; chatting in the terminal instead (/exit leaves)"
    terminal_chat "$model"
}

has_model_option() {
    local argument
    for argument; do [[ $argument == --model || $argument == --model=* || $argument == -m ]] && return 0; done
    return 1
}

dev_chat() {
    build_packages || exit 1
    build_preset release sotto-cli || exit 1
    if has_model_option "$@"; then
        exec "$root/$kTerminal" chat "$@"
    fi
    if [[ ${1:-} == *.gguf ]]; then
        local model=$1
        shift
        terminal_chat "$model" "$@"
    fi
    starter_model || exit 1
    terminal_chat "$(starter_path)" "$@"
}
