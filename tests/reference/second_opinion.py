#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether another implementation agrees with tests/data/models. Not part of the tests: needs torch, transformers and
gguf, which the scripts that write the data do without.

  python3 tests/reference/second_opinion.py

Each folder is loaded by transformers as any repository is and run in float32: every layer, the last logits and the
greedy tokens. Each GGUF file is opened by the gguf package; its tensors must be the folder's.
"""
import json
import os
import sys

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", HF_HUB_DISABLE_PROGRESS_BARS="1")
import gguf
import numpy as np
import torch
import transformers

import quant_models
import random_weights
import vocabularies
import write_folder
import write_gguf
from spec import MODELS
from tiny_models import DATA, N_GREEDY

TOLERANCE = 1e-4


def load(folder):
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    return model.eval()


@torch.no_grad()
def run(model, ids, n_tokens):
    """Rows from n_tokens on stand for no token. -> every layer's output at the last position before the last norm, logits, greedy tokens (no cache)."""
    outputs = []
    hooks = [layer.register_forward_hook(lambda m, i, o: outputs.append(o[0] if isinstance(o, tuple) else o))
             for layer in model.model.layers]
    logits = model(torch.tensor([ids]), use_cache=False).logits[0, -1]
    for hook in hooks:
        hook.remove()
    ids = list(ids)
    for _ in range(N_GREEDY):
        ids.append(int(model(torch.tensor([ids]), use_cache=False).logits[0, -1, :n_tokens].argmax()))
    return np.array([x.reshape(-1, x.shape[-1])[-1].numpy() for x in outputs]), logits.numpy(), ids[-N_GREEDY:]


def compare_folder(spec, ref):
    model = load(DATA / spec.name / "hub")
    layers, logits, tokens = run(model, ref["prompt"], len(vocabularies.make(spec.vocabulary).tokens))
    diff = [float(np.abs(a - b).max()) for a, b in ((layers, ref["layers"]), (logits, ref["logits"]))]
    same = tokens == ref["greedy"]
    print("%-8s %-20s layers %.1e logits %.1e greedy %s" % (spec.name, type(model).__name__, *diff, same))
    return max(diff) < TOLERANCE and same


def compare_gguf(spec):
    weights = random_weights.make(spec)
    tensors = {t.name: t for t in gguf.GGUFReader(DATA / spec.name / "f32.gguf").tensors}
    tensors.pop("rope_freqs.weight", None)
    for name, array in weights.items():
        found = tensors.pop(write_gguf.gguf_name(spec, name))
        expected = write_gguf.gguf_array(spec, name, array)
        if not np.array_equal(found.data.reshape(expected.shape), expected):
            print(spec.name, name, "differs")
            return False
    return not tensors


def compare_tokenizer(spec):
    """The tokenizer opens, has no more tokens than the model rows, and gives a text back; the template renders."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(DATA / spec.name / "hub")
    text = "hello  world and the\n\nrest: é 日 <x> 12"
    back = tokenizer.decode(tokenizer.encode(text, add_special_tokens=False))
    messages = [{"role": "user", "content": "hi"}]
    chat = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
    print("%-8s %-28s %3d tokens, %r" % (spec.name, type(tokenizer).__name__, len(tokenizer), chat))
    if back != text:
        print("  %r came back as %r" % (text, back))
    return back == text and len(tokenizer) <= spec.n_vocab


def compare_quantised(spec, kinds):
    """Every block type, taken apart by the gguf package, and what transformers makes of those weights."""
    ref = json.loads((DATA / spec.name / "reference.json").read_text())
    weights, good = quant_models.weights_of(spec), True
    for kind in kinds:
        file = kind.lower() + ".gguf"
        tensors = {t.name: t for t in gguf.GGUFReader(DATA / spec.name / file).tensors}
        left = quant_models.quantised(spec, weights, kind)[1]
        for name, array in left.items():
            t = tensors.pop(write_gguf.gguf_name(spec, name))
            same = np.array_equal(gguf.dequantize(t.data, t.tensor_type).reshape(array.shape),
                                  write_gguf.gguf_array(spec, name, array))
            good = good and same and t.tensor_type.name == ref["files"][file]["types"].get(t.name, "F32")
        logits = run(transformers_model(spec, left), ref["prompt"], spec.n_vocab)[1]
        diff = np.abs(logits - ref["files"][file]["logits"]).max()
        print("%-8s %-12s every weight %s logits %.1e" % (spec.name, file, good, diff))
        good = good and not tensors and diff < TOLERANCE
    return good


def transformers_model(spec, weights):
    config = write_folder.config(spec, vocabularies.make(spec.vocabulary))
    config = transformers.LlamaConfig(**config, attn_implementation="eager")
    model = transformers.LlamaForCausalLM(config).eval()
    model.load_state_dict({n: torch.from_numpy(x) for n, x in weights.items()}, strict=False)
    model.tie_weights()
    return model.float()


def main():
    good = all([compare_quantised(*item) for item in quant_models.MODELS.items()])
    for spec in MODELS:
        ref = json.loads((DATA / spec.name / "reference.json").read_text())
        for result in (compare_folder(spec, ref), compare_gguf(spec), compare_tokenizer(spec)):
            good = good and result
    sys.exit(0 if good else "the second opinion differs")


if __name__ == "__main__":
    main()
