# SPDX-License-Identifier: Apache-2.0
"""A GGUF version 3 file, written key by key and tensor by tensor; little-endian, data aligned to 32 bytes."""
import struct

U32, I32, F32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
_FORMAT = {U32: "<I", I32: "<i", F32: "<f", BOOL: "<?"}
ALIGNMENT = 32

# ggml's numbers of the storage types
TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q5_0": 6, "Q5_1": 7, "Q8_0": 8, "Q2_K": 10, "Q3_K": 11,
         "Q4_K": 12, "Q5_K": 13, "Q6_K": 14, "IQ4_NL": 20, "IQ4_XS": 23, "BF16": 30}


def _string(text):
    data = text.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


def _value(kind, value):
    return _string(value) if kind == STRING else struct.pack(_FORMAT[kind], value)


def _padding(n_bytes):
    return b"\0" * (-n_bytes % ALIGNMENT)


class GgufFile:
    def __init__(self, architecture):
        self._keys, self._tensors = [], []
        self._prefix = architecture + "."
        self.put("general.architecture", STRING, architecture)

    def put(self, key, kind, value):
        """A name that begins with a dot belongs to the architecture."""
        self._keys.append(self._name(key) + struct.pack("<I", kind) + _value(kind, value))

    def put_list(self, key, kind, values):
        head = struct.pack("<IIQ", ARRAY, kind, len(values))
        self._keys.append(self._name(key) + head + b"".join(_value(kind, v) for v in values))

    def add(self, name, shape, kind, data):
        """`shape` as numpy has it, [rows, columns]; the file counts the other way round."""
        self._tensors.append((name, shape[::-1], TYPES[kind], data))

    def add_array(self, name, array):
        self.add(name, array.shape, "F32", array.astype("<f4").tobytes())

    def write(self, path):
        out = bytearray(b"GGUF" + struct.pack("<IQQ", 3, len(self._tensors), len(self._keys)))
        out += b"".join(self._keys)
        offset = 0
        for name, dims, kind, data in self._tensors:
            out += _string(name) + struct.pack("<I", len(dims)) + struct.pack("<%dQ" % len(dims), *dims)
            out += struct.pack("<IQ", kind, offset)
            offset += len(data) + len(_padding(len(data)))
        out += _padding(len(out))
        for _, _, _, data in self._tensors:
            out += data + _padding(len(data))
        path.write_bytes(out)

    def _name(self, key):
        return _string(self._prefix + key[1:] if key.startswith(".") else key)
