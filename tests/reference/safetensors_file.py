# SPDX-License-Identifier: Apache-2.0
"""safetensors: eight bytes of length, a JSON header padded with blanks, the tensors in its order."""
import json
import struct

import numpy as np


def bf16_bits(array):
    """Round to nearest even, as the upper half of the 32 bits."""
    bits = np.ascontiguousarray(array, "<f4").view("<u4").astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2")


def rounded(array, dtype):
    """The float32 numbers that are left of `array` once it was stored as `dtype`."""
    if dtype == "BF16":
        return (bf16_bits(array).astype("<u4") << 16).view("<f4")
    return array.astype("<f2").astype("<f4") if dtype == "F16" else array.astype("<f4")


def _bytes(array, dtype):
    if dtype == "BF16":
        return bf16_bits(array).tobytes()
    return array.astype({"F16": "<f2", "F32": "<f4"}[dtype]).tobytes()


def write(path, tensors, dtype):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, array in tensors.items():
        part = _bytes(array, dtype)
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def write_folder(folder, tensors, dtype, n_shards):
    """One file, or a set with its index: shard k holds the k-th part of the sorted names."""
    names = sorted(tensors)
    if n_shards == 1:
        write(folder / "model.safetensors", {n: tensors[n] for n in names}, dtype)
        return
    files = {}
    for k in range(n_shards):
        file = "model-%05d-of-%05d.safetensors" % (k + 1, n_shards)
        part = names[k * len(names) // n_shards:(k + 1) * len(names) // n_shards]
        write(folder / file, {n: tensors[n] for n in part}, dtype)
        files.update({n: file for n in part})
    total = sum(tensors[n].size for n in names) * (4 if dtype == "F32" else 2)
    index = {"metadata": {"total_size": total}, "weight_map": files}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")
