# SPDX-License-Identifier: Apache-2.0
"""Block types: simple quantisers and exact dequantisers in numpy, for tests alone.

A type is (weights per block, quantise, dequantise): x[n, weights] float64 <-> bytes[n, n_bytes]. The quantisers look
for no optimum; they fill every field of a block. Layouts: ggml-common.h and the dequantise functions of ggml-quants.c.
"""
import numpy as np

CODEBOOK = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113], np.float64)


def half_bytes(values):
    """-> (bytes[n, 2], what is left of the values)."""
    halves = np.asarray(values).astype("<f2")
    return halves.view(np.uint8).reshape(-1, 2), halves.astype(np.float64)


def half_at(raw, at):
    return raw[:, at:at + 2].copy().view("<f2").astype(np.float64)     # [n, 1]


def ratio(x, by):
    return np.where(by == 0, 0.0, x / np.where(by == 0, 1.0, by))


def code(x, low, high):
    return np.clip(np.rint(x), low, high).astype(np.int64)


def peak(x):
    """The entry of largest magnitude along the last axis, with its sign."""
    return np.take_along_axis(x, np.abs(x).argmax(-1)[..., None], -1)[..., 0]


def nearest_in_codebook(x):
    return np.abs(x[..., None] - CODEBOOK).argmin(-1)


def joined(*parts):
    return np.concatenate([np.asarray(p).reshape(len(parts[0]), -1).astype(np.uint8) for p in parts], 1)


def two_nibbles(q):
    """[n, 32] -> [n, 16]: the first half of the codes in the low nibbles, the second in the high ones."""
    return q[:, :16] & 15 | (q[:, 16:] & 15) << 4


def from_nibbles(raw):
    return np.concatenate([raw & 15, raw >> 4], 1).astype(np.int64)


# ---- blocks of 32 ------------------------------------------------------------------------------------------------


def q8_0(x):
    bytes_d, d = half_bytes(np.abs(x).max(1) / 127)
    return joined(bytes_d, code(ratio(x, d[:, None]), -127, 127).astype(np.int8).view(np.uint8))


def from_q8_0(raw):
    return half_at(raw, 0) * raw[:, 2:].copy().view(np.int8)


def fifth_bits(q):
    return np.packbits((q >> 4 & 1).astype(np.uint8), axis=1, bitorder="little")


def from_fifth_bits(raw):
    return np.unpackbits(raw, axis=1, bitorder="little").astype(np.int64) << 4


def symmetric(n_bits):
    """Q4_0 and Q5_0: d, [fifth bits], nibbles; w = d * (q - half)."""
    middle = 1 << n_bits - 1

    def quantise(x):
        bytes_d, d = half_bytes(-peak(x) / middle)
        q = code(ratio(x, d[:, None]) + middle, 0, 2 * middle - 1)
        return joined(bytes_d, fifth_bits(q), two_nibbles(q)) if n_bits == 5 else joined(bytes_d, two_nibbles(q))

    def dequantise(raw):
        q = from_nibbles(raw[:, -16:]) + (from_fifth_bits(raw[:, 2:6]) if n_bits == 5 else 0)
        return half_at(raw, 0) * (q - middle)

    return quantise, dequantise


def with_minimum(n_bits):
    """Q4_1 and Q5_1: d, m, [fifth bits], nibbles; w = d * q + m."""
    top = (1 << n_bits) - 1

    def quantise(x):
        bytes_d, d = half_bytes((x.max(1) - x.min(1)) / top)
        bytes_m, m = half_bytes(x.min(1))
        q = code(ratio(x - m[:, None], d[:, None]), 0, top)
        fifth = [fifth_bits(q)] if n_bits == 5 else []
        return joined(bytes_d, bytes_m, *fifth, two_nibbles(q))

    def dequantise(raw):
        q = from_nibbles(raw[:, -16:]) + (from_fifth_bits(raw[:, 4:8]) if n_bits == 5 else 0)
        return half_at(raw, 0) * q + half_at(raw, 2)

    return quantise, dequantise


def iq4_nl(x):
    bytes_d, d = half_bytes(-peak(x) / 127)
    return joined(bytes_d, two_nibbles(nearest_in_codebook(ratio(x, d[:, None]))))


def from_iq4_nl(raw):
    return half_at(raw, 0) * CODEBOOK[from_nibbles(raw[:, 2:])]


# ---- blocks of 256 -----------------------------------------------------------------------------------------------


def scales_and_minima(x, n_sub, top, top_scale):
    """Sub-blocks w = d*sc * q - dmin*m -> bytes of d and dmin, sc, m [n, n_sub], q[n, n_sub, 256 / n_sub]."""
    x = x.reshape(len(x), n_sub, -1)
    minimum = np.maximum(0, -x.min(-1))
    scale = (x.max(-1) + minimum) / top
    bytes_d, d = half_bytes(scale.max(1) / top_scale)
    bytes_m, dmin = half_bytes(minimum.max(1) / top_scale)
    sc = code(ratio(scale, d[:, None]), 0, top_scale)
    m = code(ratio(minimum, dmin[:, None]), 0, top_scale)
    q = ratio(x + (dmin[:, None] * m)[..., None], (d[:, None] * sc)[..., None])
    return bytes_d, bytes_m, sc, m, code(q, 0, top)


def pack_six_bits(sc, m):
    """Eight scales and eight minima in twelve bytes: the last four of each give their upper bits to the first four."""
    return joined(sc[:, :4] | (sc[:, 4:] >> 4) << 6, m[:, :4] | (m[:, 4:] >> 4) << 6,
                  sc[:, 4:] & 15 | (m[:, 4:] & 15) << 4)


def unpack_six_bits(raw):
    a, b, c = (raw[:, i:i + 4].astype(np.int64) for i in (0, 4, 8))
    return (np.concatenate([a & 63, c & 15 | (a >> 6) << 4], 1), np.concatenate([b & 63, c >> 4 | (b >> 6) << 4], 1))


def q4_k(x):
    bytes_d, bytes_m, sc, m, q = scales_and_minima(x, 8, 15, 63)
    return joined(bytes_d, bytes_m, pack_six_bits(sc, m), q[:, 0::2] | q[:, 1::2] << 4)


def q5_k(x):
    bytes_d, bytes_m, sc, m, q = scales_and_minima(x, 8, 31, 63)
    fifth = sum((q[:, j] >> 4) << j for j in range(8))
    return joined(bytes_d, bytes_m, pack_six_bits(sc, m), fifth, q[:, 0::2] & 15 | (q[:, 1::2] & 15) << 4)


def sub_blocks_of_nibbles(raw):
    """[n, 128] -> [n, 8, 32]: 32 bytes hold two sub-blocks, low nibbles first."""
    raw = raw.reshape(len(raw), 4, 32)
    return np.stack([raw & 15, raw >> 4], 2).reshape(len(raw), 8, 32).astype(np.int64)


def from_scaled(raw, sc, m, q, d_at):
    d, dmin = half_at(raw, d_at)[..., None], half_at(raw, d_at + 2)[..., None]
    return (d * sc[..., None] * q - dmin * m[..., None]).reshape(len(raw), 256)


def from_q4_k(raw):
    return from_scaled(raw, *unpack_six_bits(raw[:, 4:16]), sub_blocks_of_nibbles(raw[:, 16:]), 0)


def from_q5_k(raw):
    fifth = np.stack([raw[:, 16:48] >> j & 1 for j in range(8)], 1).astype(np.int64)
    return from_scaled(raw, *unpack_six_bits(raw[:, 4:16]), sub_blocks_of_nibbles(raw[:, 48:]) + 16 * fifth, 0)


def pack_pairs_of_bits(q):
    """[n, 256] codes of two bits -> [n, 64]: in each half, byte i holds the codes i, i + 32, i + 64, i + 96."""
    q = q.reshape(len(q), 2, 4, 32)
    return sum(q[:, :, j] << 2 * j for j in range(4)).reshape(len(q), 64)


def unpack_pairs_of_bits(raw):
    raw = raw.reshape(len(raw), 2, 1, 32).astype(np.int64)
    return (raw >> np.array([0, 2, 4, 6])[:, None] & 3).reshape(len(raw), 256)


def q2_k(x):
    bytes_d, bytes_m, sc, m, q = scales_and_minima(x, 16, 3, 15)
    return joined(sc | m << 4, pack_pairs_of_bits(q.reshape(-1, 256)), bytes_d, bytes_m)


def from_q2_k(raw):
    q = unpack_pairs_of_bits(raw[:, 16:80]).reshape(-1, 16, 16)
    return from_scaled(raw, raw[:, :16] & 15, raw[:, :16] >> 4, q, 80)


def signed_scales(x, n_sub, reach, top_scale):
    """Sub-blocks w = d*sc * q with signed sc and q from -reach -> bytes of d, sc [n, n_sub], x / (d*sc)."""
    x = x.reshape(len(x), n_sub, -1)
    scale = -peak(x) / reach
    bytes_d, d = half_bytes(-peak(scale) / top_scale)
    sc = code(ratio(scale, d[:, None]), -top_scale, top_scale - 1)
    return bytes_d, sc, ratio(x, (d[:, None] * sc)[..., None])


def q6_k(x):
    bytes_d, sc, x = signed_scales(x, 16, 32, 128)
    q = code(x, -32, 31).reshape(-1, 2, 4, 32) + 32                 # halves, quarters of a half
    return joined(q[:, :, :2] & 15 | (q[:, :, 2:] & 15) << 4, pack_pairs_of_bits(q >> 4),
                  sc.astype(np.int8).view(np.uint8), bytes_d)


def from_q6_k(raw):
    low = raw[:, :128].reshape(-1, 2, 2, 32).astype(np.int64)
    q = np.concatenate([low & 15, low >> 4], 2).reshape(-1, 256) | unpack_pairs_of_bits(raw[:, 128:192]) << 4
    sc = raw[:, 192:208].copy().view(np.int8).astype(np.int64)
    return (half_at(raw, 208)[..., None] * sc[..., None] * (q - 32).reshape(-1, 16, 16)).reshape(-1, 256)


def q3_k(x):
    bytes_d, sc, x = signed_scales(x, 16, 4, 32)
    q = (code(x, -4, 3) + 4).reshape(-1, 256)
    high = sum(q.reshape(-1, 8, 32)[:, j] >> 2 << j for j in range(8))
    sc = sc + 32
    low_bits = sc[:, :8] & 15 | (sc[:, 8:] & 15) << 4
    high_bits = sum(sc[:, 4 * j:4 * j + 4] >> 4 << 2 * j for j in range(4))
    return joined(high, pack_pairs_of_bits(q & 3), low_bits, high_bits, bytes_d)


def from_q3_k(raw):
    high = np.stack([raw[:, :32] >> j & 1 for j in range(8)], 1).reshape(-1, 256).astype(np.int64)
    q = unpack_pairs_of_bits(raw[:, 32:96]) + 4 * high - 4
    low_bits, high_bits = raw[:, 96:104].astype(np.int64), raw[:, 104:108].astype(np.int64)
    sc = np.concatenate([low_bits & 15, low_bits >> 4], 1)
    sc = sc | np.concatenate([high_bits >> 2 * j & 3 for j in range(4)], 1) << 4
    return (half_at(raw, 108)[..., None] * (sc - 32)[..., None] * q.reshape(-1, 16, 16)).reshape(-1, 256)


def iq4_xs(x):
    bytes_d, sc, x = signed_scales(x, 8, 127, 32)
    sc = sc + 32
    high = sum(sc[:, j] >> 4 << 2 * j for j in range(8))
    nibbles = two_nibbles(nearest_in_codebook(x).reshape(-1, 32))
    return joined(bytes_d, np.stack([high & 255, high >> 8], 1), sc[:, 0::2] & 15 | (sc[:, 1::2] & 15) << 4,
                  nibbles.reshape(-1, 128))


def from_iq4_xs(raw):
    high = raw[:, 2].astype(np.int64) | raw[:, 3].astype(np.int64) << 8
    low = np.stack([raw[:, 4:8] & 15, raw[:, 4:8] >> 4], 2).reshape(-1, 8).astype(np.int64)
    sc = low | (high[:, None] >> 2 * np.arange(8) & 3) << 4
    values = CODEBOOK[from_nibbles(raw[:, 8:].reshape(-1, 16))].reshape(-1, 8, 32)
    return (half_at(raw, 0)[..., None] * (sc - 32)[..., None] * values).reshape(-1, 256)


TYPES = {"Q8_0": (32, q8_0, from_q8_0), "Q4_0": (32, *symmetric(4)), "Q5_0": (32, *symmetric(5)),
         "Q4_1": (32, *with_minimum(4)), "Q5_1": (32, *with_minimum(5)), "IQ4_NL": (32, iq4_nl, from_iq4_nl),
         "Q2_K": (256, q2_k, from_q2_k), "Q3_K": (256, q3_k, from_q3_k), "Q4_K": (256, q4_k, from_q4_k),
         "Q5_K": (256, q5_k, from_q5_k), "Q6_K": (256, q6_k, from_q6_k), "IQ4_XS": (256, iq4_xs, from_iq4_xs)}


def quantise(array, kind):
    """A matrix -> (its bytes in a file, the float32 matrix that they stand for)."""
    n, pack, unpack = TYPES[kind]
    raw = pack(array.astype(np.float64).reshape(-1, n))
    return raw.tobytes(), unpack(raw).reshape(array.shape).astype(np.float32)
