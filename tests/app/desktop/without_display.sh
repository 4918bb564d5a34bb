#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# without_display.sh SOTTO: with no display it says one sentence that names the way out, and leaves with 3.
unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM
message=$("$1" model.gguf 2>&1)
code=$?
lines=$(printf '%s\n' "$message" | wc -l)
printf '%s\nexit code %s\n' "$message" "$code"
case $message in *"sotto-cli chat"*) ;; *) exit 1 ;; esac
[ "$code" -eq 3 ] && [ "$lines" -eq 1 ] && "$1" --version && "$1" --help
