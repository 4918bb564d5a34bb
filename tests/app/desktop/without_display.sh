#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# without_display.sh SOTTO: with no display, or one that cannot be reached, it names the way out and leaves with 3.
unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM
leaves_with_3() {
    message=$("$1" model.gguf 2>&1)
    code=$?
    printf '%s\nexit code %s\n' "$message" "$code"
    case $message in *"sotto-cli chat"*) ;; *) return 1 ;; esac
    [ "$code" -eq 3 ]
}
leaves_with_3 "$1" || exit 1
[ "$(printf '%s\n' "$message" | wc -l)" -eq 1 ] || exit 1
DISPLAY=:4242 leaves_with_3 "$1" || exit 1
"$1" --version && "$1" --help
