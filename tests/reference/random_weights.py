# SPDX-License-Identifier: Apache-2.0
"""Random weights whose logits spread like a real model's, and in which every part of an architecture matters.

Only additions and multiplications of RandomState's uniform numbers, whose stream numpy keeps: the same bits everywhere.
"""
import numpy as np

from safetensors_file import rounded


class Random:
    def __init__(self, seed):
        self._state = np.random.RandomState(seed)

    def ids(self, n, n_vocab):
        return [int(x * n_vocab) for x in self._state.random_sample(n)]

    def normal(self, *shape):
        """Four uniform numbers added: close to normal, variance 1."""
        return (self._state.random_sample((4,) + shape).sum(0) - 2) * 3 ** 0.5

    def signs(self, n):
        return np.where(self._state.random_sample(n) < 0.5, -1.0, 1.0)


def matrix(r, n_out, n_in, gain):
    return r.normal(n_out, n_in) * (gain / n_in ** 0.5)


def norm_weight(r, n, mean=1.0):
    return mean * (1 + 0.3 * r.normal(n))


def rows_of_varied_length(r, n, n_in, gain):
    """Of output rows: a greedy choice between equally long ones is often a close one."""
    return matrix(r, n, n_in, gain) * (1 + 0.4 * r.normal(n, 1))


def attention(r, s):
    q, kv = s.n_head * s.head_dim, s.n_head_kv * s.head_dim
    w = {"q_proj.weight": matrix(r, q, s.n_embd, 1.6), "k_proj.weight": matrix(r, kv, s.n_embd, 1.6),
         "v_proj.weight": matrix(r, kv, s.n_embd, 1.0), "o_proj.weight": matrix(r, s.n_embd, q, 1.2)}
    if s.qkv_bias:
        w |= {"q_proj.bias": r.normal(q) * 0.7, "k_proj.bias": r.normal(kv) * 0.7, "v_proj.bias": r.normal(kv) * 0.3}
    if s.qk_norm:
        w |= {"q_norm.weight": norm_weight(r, s.head_dim, 1.4), "k_norm.weight": norm_weight(r, s.head_dim, 1.4)}
    return {"self_attn." + name: x for name, x in w.items()}


def feed_forward(r, s):
    w = {"gate_proj.weight": matrix(r, s.n_ff, s.n_embd, 1.0), "up_proj.weight": matrix(r, s.n_ff, s.n_embd, 1.0),
         "down_proj.weight": matrix(r, s.n_embd, s.n_ff, 1.5)}
    return {"mlp." + name: x for name, x in w.items()}


def layer(r, s):
    norms = ["input_layernorm", "post_attention_layernorm"]
    if s.sandwich:
        norms += ["pre_feedforward_layernorm", "post_feedforward_layernorm"]
    return attention(r, s) | feed_forward(r, s) | {n + ".weight": norm_weight(r, s.n_embd) for n in norms}


def deepen_gates(s, w):
    """The two GELUs differ by 1e-4 around 0 but by a tenth of their value around -3. A column that the text always
    fills, as real models have, keeps the gates there; the norm after the feed-forward makes the difference whole."""
    w["model.embed_tokens.weight"][:, 0] = 0.6
    for i in range(s.n_layer):
        p = "model.layers.%d." % i
        for name in ("input_layernorm", "pre_feedforward_layernorm"):
            w[p + name + ".weight"][0] = 1.0
        for name in ("post_attention_layernorm", "post_feedforward_layernorm"):
            w[p + name + ".weight"] *= 0.7
        w[p + "self_attn.o_proj.weight"] *= 0.3     # small beside eps
        w[p + "self_attn.o_proj.weight"][0] *= 0.05
        w[p + "mlp.gate_proj.weight"] *= 0.4
        w[p + "mlp.gate_proj.weight"][:, 0] = -1.5
        w[p + "mlp.down_proj.weight"] *= 8
        w[p + "mlp.down_proj.weight"][0] *= 0.05


def make(s):
    """-> {name in a model folder: float32 array}, numbers that s.dtype can hold."""
    r = Random(s.seed)
    w = {"model.embed_tokens.weight": rows_of_varied_length(r, s.n_vocab, s.n_embd, 0.9)}
    for i in range(s.n_layer):
        w |= {"model.layers.%d.%s" % (i, name): x for name, x in layer(r, s).items()}
    # Random signs, or a model with shared output would just repeat its last token.
    w["model.norm.weight"] = norm_weight(r, s.n_embd, 2.5) * r.signs(s.n_embd)
    if not s.tied:
        w["lm_head.weight"] = rows_of_varied_length(r, s.n_vocab, s.n_embd, 1.0)
    if s.activation == "gelu_tanh":
        deepen_gates(s, w)
    for name in w:
        if s.norm_offset and name.endswith("norm.weight"):
            w[name] = w[name] - s.norm_offset
        w[name] = rounded(w[name].astype(np.float32), s.dtype)
    return w


def prompt(s):
    return Random(s.seed + 1000).ids(s.n_prompt, s.n_vocab)
