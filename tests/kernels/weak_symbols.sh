#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# weak_symbols.sh <nm> <object>...
# An object compiled for an instruction set may define one global symbol, its table. Anything else (an
# inline function of a header, say) could be the copy that the linker keeps for all, and then end in an
# illegal instruction on a CPU without that set.
nm=$1
shift
[ $# -gt 0 ] || { echo "no objects given"; exit 1; }
status=0
for object in "$@"; do
    name=$(basename "$object")
    level=${name#level_}
    level=${level%%.*}
    # Two statements: the status of a pipe would be that of its last part.
    all=$("$nm" -C -P --defined-only --extern-only "$object") || { echo "$nm failed on $object"; exit 1; }
    # Type names, which sanitizers need, are data and hold no instructions.
    symbols=$(printf '%s\n' "$all" | sed 's/ [A-Za-z] [0-9a-f ]*$//; /^typeinfo /d')
    if [ "$symbols" != "sotto::kernels::table_$level()" ]; then
        echo "$name defines more than sotto::kernels::table_$level():"
        echo "$symbols"
        status=1
    fi
done
exit $status
