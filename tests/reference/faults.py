# SPDX-License-Identifier: Apache-2.0
"""Faults that an engine may have, each as a change of a model's spec or weights."""
import dataclasses

import numpy as np

import forward
import random_weights
from write_gguf import permuted

SEEN = 0.05         # five times what an engine may differ in float32


def change(**fields):
    return lambda s, w: (dataclasses.replace(s, **fields), w)


def without(ending):
    """Leaves tensors out; the pass then does without them."""
    return lambda s, w: (s, {n: x for n, x in w.items() if not n.endswith(ending)})


def kept_permuted(s, w):
    """Q and K of the GGUF file rotated by halves."""
    heads = {".q_proj.weight": s.n_head, ".k_proj.weight": s.n_head_kv}
    return s, {n: next((permuted(x, h) for end, h in heads.items() if n.endswith(end)), x) for n, x in w.items()}


def of(s):
    """-> {what is wrong: a function of (spec, weights) that gives the faulty ones}."""
    faults = {"no rope at all": change(rope_style="none"),
              "rope on pairs of a folder's rows": change(rope_style="interleaved"),
              "rope base twice as large": change(rope_base=s.rope_base * 2),
              "eps 1e-5": change(eps=1e-5), "eps 1e-6": change(eps=1e-6),
              "key/value heads dealt in turn": change(kv_heads="dealt")}
    if s.n_head_kv == 1:
        del faults["key/value heads dealt in turn"]
    if s.head_dim * s.n_head != s.n_embd:
        faults["scores scaled by width / heads"] = change(score_dim=s.n_embd // s.n_head)
    if s.arch in ("llama", "smollm3"):
        faults["Q and K rows not un-permuted"] = kept_permuted
    if s.rope_scaling:
        faults["no llama3 scaling"] = change(rope_scaling=None)
        faults["llama3 scaling the wrong way"] = change(rope_scaling_power=-1)
        no_band = dict(s.rope_scaling, high_freq_factor=1.0001)
        faults["no smooth band in the scaling"] = change(rope_scaling=no_band)
    if s.no_rope_interval:
        faults["rope on the layer without"] = change(no_rope_interval=0)
        faults["first layer without rope"] = change(no_rope_phase=0)
    if s.qkv_bias:
        faults |= {"no %s bias" % x.upper(): without(x + "_proj.bias") for x in "qkv"}
    if s.qk_norm:
        faults |= {"no %s norm" % x.upper(): without("%s_norm.weight" % x) for x in "qk"}
        faults["Q/K norms after rope"] = change(qk_norm_after_rope=True)
    if s.tied is False:
        faults["embeddings as the output"] = change(tied=True)
    if s.activation == "gelu_tanh":
        faults |= {"exact GELU": change(activation="gelu_exact"), "SiLU": change(activation="silu")}
    if s.window:
        faults |= {"window of %d" % n: change(window=n) for n in (s.window - 1, s.window + 1)}
        faults |= {"no window": change(window=0), "window in every layer": change(pattern=99),
                   "global base in local layers": change(rope_base_local=s.rope_base),
                   "local base in the global layer": change(rope_base=s.rope_base_local),
                   "first layer is the global one": change(pattern_phase=0)}
    if s.sandwich:
        faults |= {"no norm after attention": without("post_attention_layernorm.weight"),
                   "no norm after the feed-forward": without("post_feedforward_layernorm.weight"),
                   "norm weights without + 1": change(norm_offset=0.0),
                   "embeddings not scaled": change(scaled_embedding=False)}
    return faults


def check(spec):
    """Prints what each fault changes; -> the faults that would go unseen."""
    weights, ids = random_weights.make(spec), random_weights.prompt(spec)
    right = forward.Pass(spec, weights).run(ids)[1]
    unseen = []
    for what, fault in of(spec).items():
        wrong = forward.Pass(*fault(spec, weights)).run(ids)[1]
        difference = np.abs(wrong - right).max()
        print("%-8s %-34s logits differ by %8.3f" % (spec.name, what, difference))
        if not difference > SEEN:
            unseen.append("%s: %s" % (spec.name, what))
    return unseen
