# SPDX-License-Identifier: Apache-2.0
"""Two llama models stored in every block type, and the logits that the dequantised weights give.

quant32: 64 wide, types with blocks of 32. quant256: 256 wide, types with blocks of 256; the rows of attn_output and
ffn_down are no multiple of 256 and fall back to another type, as they do in real files.
"""
import numpy as np

import forward
import quants
import random_weights
import write_gguf
from reference_file import numbers
from spec import Spec

FALLBACK = {"Q2_K": "IQ4_NL", "Q3_K": "IQ4_NL", "IQ4_XS": "IQ4_NL", "Q4_K": "Q5_0", "Q5_K": "Q5_1", "Q6_K": "Q8_0"}
FILE_TYPES = {"Q8_0": 7, "Q4_0": 2, "Q4_1": 3, "Q5_0": 8, "Q5_1": 9, "IQ4_NL": 25, "Q2_K": 10, "Q3_K": 12, "Q4_K": 15,
              "Q5_K": 17, "Q6_K": 18, "IQ4_XS": 30}

MODELS = {
    Spec("quant32", "llama", "bytes", 1, n_embd=64, n_layer=1, n_ff=64, n_vocab=263):
        ["Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "IQ4_NL"],
    Spec("quant256", "llama", "bytes", 1, n_embd=256, n_layer=1, n_ff=32, n_vocab=263):
        ["Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_XS"],
}


def weights_of(spec):
    """Groups of 16 columns of unlike size, so that the scales within a block of 256 take many values."""
    weights = random_weights.make(spec)
    r = random_weights.Random(spec.seed + 2000)
    for name, w in weights.items():
        if w.ndim == 2:
            size = 1 + 0.4 * r.normal(w.shape[0], w.shape[1] // 16)
            weights[name] = (w * np.repeat(size, 16, 1)).astype(np.float32)
    return weights


def type_of(array, kind):
    return kind if array.shape[1] % quants.TYPES[kind][0] == 0 else FALLBACK[kind]


def quantised(spec, weights, kind):
    """-> a file to write, the weights as dequantised, {tensor in the file: type}."""
    file, left, types = write_gguf.header(spec, FILE_TYPES[kind]), {}, {}
    for name, array in weights.items():
        gguf_name = write_gguf.gguf_name(spec, name)
        rows = write_gguf.gguf_array(spec, name, array)
        if rows.ndim == 1:
            left[name] = array
            file.add_array(gguf_name, rows)
            continue
        types[gguf_name] = type_of(array, kind)
        left[name] = quants.quantise(array, types[gguf_name])[1]
        # Q and K are permuted by whole rows, which blocks do not notice.
        file.add(gguf_name, rows.shape, types[gguf_name], quants.quantise(rows, types[gguf_name])[0])
    return file, left, types


class RoundedActivations(forward.Pass):
    """The input of each product in 8 bits, a scale for 32 of them: what an engine may lose by that."""

    def linear(self, x, layer, name):
        blocks = x.reshape(len(x), -1, 32)
        scale = np.abs(blocks).max(-1, keepdims=True) / 127
        return super().linear((np.rint(blocks / scale) * scale).reshape(x.shape), layer, name)


def cosine(a, b):
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def check(spec, kinds):
    """Prints how near an engine comes that rounds activations; -> the types where a test at 0.995 would be unfair."""
    weights, ids, unfair = weights_of(spec), random_weights.prompt(spec), []
    for kind in kinds:
        left = quantised(spec, weights, kind)[1]
        exact, rounded = (p(spec, left).run(ids)[1] for p in (forward.Pass, RoundedActivations))
        print("%-8s %-34s activations in 8 bits: cosine %.6f" % (spec.name, kind, cosine(exact, rounded)))
        if cosine(exact, rounded) < 0.9995:
            unfair.append("%s: %s" % (spec.name, kind))
    return unfair


def write(out, spec, kinds):
    """FOLDER/q4_k.gguf ... and reference.json: the prompt; for each file its matrices' types and the last logits."""
    weights, ids, files = weights_of(spec), random_weights.prompt(spec), {}
    folder = out / spec.name
    folder.mkdir(parents=True, exist_ok=True)
    for kind in kinds:
        file, left, types = quantised(spec, weights, kind)
        file.write(folder / (kind.lower() + ".gguf"))
        logits = forward.Pass(spec, left).run(ids)[1]
        files[kind.lower() + ".gguf"] = {"types": types, "logits": numbers(logits)}
    return {"name": spec.name, "architecture": spec.arch, "n_vocab": spec.n_vocab, "prompt": ids, "files": files}
