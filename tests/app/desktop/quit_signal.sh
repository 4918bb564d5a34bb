#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# quit_signal.sh SOTTO: SIGTERM closes the window as its button does: exit code 0, settings written.
home=$(mktemp -d) || exit 1
trap 'rm -rf "$home"' EXIT
export HOME="$home" XDG_CONFIG_HOME="$home/config" QT_QPA_PLATFORM=offscreen
"$1" &
pid=$!
# The window is up when its event loop has the process sleeping; a signal before that may end it at once.
for _ in $(seq 100); do
    [ -n "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 2>/dev/null | sed 1,2d)" ] && break
    sleep 0.1
done
sleep 1
kill -TERM "$pid"
wait "$pid"
code=$?
files=$(find "$XDG_CONFIG_HOME" -type f -size +0)
printf 'exit code %s, settings: %s\n' "$code" "$files"
[ "$code" -eq 0 ] && [ -n "$files" ]
