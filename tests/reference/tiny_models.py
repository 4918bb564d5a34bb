#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tiny random models of every architecture with the numbers that an engine has to find, into tests/data/models.

  python3 tests/reference/tiny_models.py [--only llama,qwen3] [--check] [--out FOLDER]

NAME/f32.gguf and NAME/hub/ hold the same numbers; NAME/reference.json what comes of them (see `reference`).
quant32/ and quant256/ hold a file for each block type (see quant_models.py).
--check writes nothing: it computes what each fault that an engine may have would change, prints the differences and
fails where a fault would go unseen. Needs numpy alone. The same bytes on each run.
"""
import argparse
import pathlib
import sys

import faults
import forward
import quant_models
import random_weights
import reference_file
import vocabularies
import write_folder
import write_gguf
from reference_file import numbers
from spec import MODELS

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "models"
N_GREEDY = 32


def reference(spec, weights):
    """JSON: token ids of the prompt; every layer's output at its last position; all logits after it; the greedy
    tokens that follow (end tokens do not stop them) and by how much each won. In float64, rounded to 7 digits."""
    ids = random_weights.prompt(spec)
    layers, logits = forward.Pass(spec, weights).run(ids)
    tokens, margins = forward.greedy(spec, weights, ids, N_GREEDY,
                                     len(vocabularies.make(spec.vocabulary).tokens))
    assert min(margins) > 0.02 * logits.std(), "%s: greedy choices too close, take another seed" % spec.name
    assert 1 < logits.std() < 5 and len(set(tokens)) > 8, spec.name
    return {"name": spec.name, "architecture": spec.arch, "n_vocab": spec.n_vocab, "prompt": ids,
            "layers": [numbers(x) for x in layers], "logits": numbers(logits), "greedy": tokens,
            "margins": numbers(margins)}


def write_model(out, spec):
    weights = random_weights.make(spec)
    folder = out / spec.name
    write_folder.write(folder / "hub", spec, weights)
    write_gguf.write(folder / "f32.gguf", spec, weights)
    reference_file.write(folder / "reference.json", reference(spec, weights))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="names, separated by commas")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--out", type=pathlib.Path, default=DATA)
    args = parser.parse_args()
    chosen = lambda specs: [s for s in specs if not args.only or s.name in args.only.split(",")]
    quantised = {s: quant_models.MODELS[s] for s in chosen(quant_models.MODELS)}
    if args.check:
        unseen = sum((faults.check(s) for s in chosen(MODELS)), [])
        unfair = sum((quant_models.check(s, kinds) for s, kinds in quantised.items()), [])
        sys.exit("unseen: %s; unfair: %s" % (unseen, unfair) if unseen + unfair else 0)
    for s in chosen(MODELS):
        write_model(args.out, s)
    for s, kinds in quantised.items():
        reference_file.write(args.out / s.name / "reference.json", quant_models.write(args.out, s, kinds))


if __name__ == "__main__":
    main()
