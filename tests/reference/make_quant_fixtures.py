#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Blocks of every weight type and what another implementation reads in them.

    make_quant_fixtures.py [FOLDER]         default: tests/data/kernels

Needs the Python packages gguf (made with 0.19.0; its quants.py is that other implementation) and numpy.
Bytes come from a generator seeded with the type's name; f16 values among them are made finite.
FOLDER/<type>.bin, little-endian: u32 number of columns, one row as GGUF files store it, and a
float32 for each column.
"""
import random
import struct
import sys
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, quants
from gguf.constants import GGML_QUANT_SIZES

# Byte positions in a block that hold an f16.
F16_AT = {
    "F32": [], "BF16": [], "F16": [0],
    "Q8_0": [0], "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2],
    "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
    "IQ4_NL": [0], "IQ4_XS": [0],
}
# What an f16 may be: a denormal, the largest, and scales as files have them.
EDGES = [0x0000, 0x8000, 0x0001, 0x83ff, 0x7bff, 0xfbff]
N_COLUMNS = {1: 96, 32: 512, 256: 768}


def finite_half(generator):
    if generator.random() < 0.25:
        return generator.choice(EDGES)
    return generator.randrange(0x1000, 0x3c00) | generator.choice([0, 0x8000])


def one_block(name, n_bytes, generator):
    if name in ("F32", "BF16"):  # the upper half decides what it is: any exponent but the last
        upper = generator.randrange(0x7f80) | generator.choice([0, 0x8000])
        return generator.randbytes(n_bytes - 2) + struct.pack("<H", upper)
    block = bytearray(generator.randbytes(n_bytes))
    for at in F16_AT[name]:
        struct.pack_into("<H", block, at, finite_half(generator))
    return bytes(block)


def fixture(name):
    generator = random.Random(f"sotto {name}")
    kind = GGMLQuantizationType[name]
    block_columns, block_bytes = GGML_QUANT_SIZES[kind]
    n_columns = N_COLUMNS[block_columns]
    row = b"".join(one_block(name, block_bytes, generator) for _ in range(n_columns // block_columns))
    values = quants.dequantize(np.frombuffer(row, np.uint8)[None, :], kind).ravel()
    assert values.dtype == np.float32 and values.size == n_columns and np.isfinite(values).all()
    return struct.pack("<I", n_columns) + row + values.tobytes()


def main():
    here = Path(__file__).resolve().parent
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else here.parent / "data" / "kernels"
    folder.mkdir(parents=True, exist_ok=True)
    for name in F16_AT:
        (folder / f"{name}.bin").write_bytes(fixture(name))


if __name__ == "__main__":
    main()
