# SPDX-License-Identifier: Apache-2.0
"""The forward pass of every architecture, written for plainness: float64, the whole text at once, no cache.

Weights are float32 under the names that model folders use, [n_out, n_in]. Rotation takes a head by halves, as these
weights want it. What a fault of an engine could be is a field of the spec, so that a faulty variant is one replace().
"""
import math

import numpy as np


def rms_norm(x, weight, eps):
    return x / np.sqrt(np.mean(x * x, -1, keepdims=True) + eps) * weight


def silu(x):
    return x / (1 + np.exp(-x))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def gelu_exact(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


ACTIVATIONS = {"silu": silu, "gelu_tanh": gelu_tanh, "gelu_exact": gelu_exact}


def rope_factors(spec):
    """Llama 3's stretching of slow rotations, float32 [head_dim / 2]: what a frequency is divided by."""
    s = spec.rope_scaling
    factors = []
    for i in range(spec.head_dim // 2):
        wavelength = 2 * math.pi * spec.rope_base ** (2 * i / spec.head_dim)
        ratio = s["original_max_position_embeddings"] / wavelength
        smooth = (ratio - s["low_freq_factor"]) / (s["high_freq_factor"] - s["low_freq_factor"])
        smooth = min(1.0, max(0.0, smooth))
        factors.append(1 / ((1 - smooth) / s["factor"] + smooth))
    return np.array(factors, np.float32)


def rotate(x, base, spec):
    """x[n, n_head, head_dim], row = position."""
    half = spec.head_dim // 2
    frequency = base ** (-np.arange(half) * 2.0 / spec.head_dim)
    if spec.rope_scaling:
        frequency = frequency / rope_factors(spec).astype(np.float64) ** spec.rope_scaling_power
    angle = np.arange(len(x))[:, None] * frequency
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    if spec.rope_style == "interleaved":
        a, b = x[..., 0::2], x[..., 1::2]
        return np.stack([a * cos - b * sin, b * cos + a * sin], -1).reshape(x.shape)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def mask(n, window):
    """True where key j is seen by query i; a window of w shows the query itself and w - 1 keys before it."""
    i, j = np.arange(n)[:, None], np.arange(n)[None]
    return (j <= i) & (i - j < window) if window else j <= i


class Pass:
    def __init__(self, spec, weights):
        self.spec, self.weights = spec, weights

    def weight(self, layer, name):
        w = self.weights.get("model.layers.%d.%s" % (layer, name))
        return None if w is None else w.astype(np.float64)

    def linear(self, x, layer, name):
        y = x @ self.weight(layer, name + ".weight").T
        bias = self.weight(layer, name + ".bias")
        return y if bias is None else y + bias

    def norm(self, x, layer, name):
        w = self.weight(layer, name + ".weight")
        return x if w is None else rms_norm(x, w + self.spec.norm_offset, self.spec.eps)

    def turn(self, x, layer):
        s = self.spec
        if s.rope_style == "none" or not s.has_rope(layer):
            return x
        return rotate(x, s.rope_base_local if s.is_local(layer) else s.rope_base, s)

    def queries(self, x, layer, which, n_head):
        x = self.linear(x, layer, "self_attn.%s_proj" % which).reshape(len(x), n_head, self.spec.head_dim)
        name = "self_attn.%s_norm" % which
        if self.spec.qk_norm_after_rope:
            return self.norm(self.turn(x, layer), layer, name)
        return self.turn(self.norm(x, layer, name), layer)

    def attention(self, x, layer):
        s = self.spec
        q = self.queries(x, layer, "q", s.n_head)
        k = self.queries(x, layer, "k", s.n_head_kv)
        v = self.linear(x, layer, "self_attn.v_proj").reshape(len(x), s.n_head_kv, s.head_dim)
        visible = mask(len(x), s.window if s.is_local(layer) else 0)
        heads = []
        for h in range(s.n_head):
            kv = h * s.n_head_kv // s.n_head if s.kv_heads == "grouped" else h % s.n_head_kv
            score = np.where(visible, q[:, h] @ k[:, kv].T * s.score_scale, -np.inf)
            p = np.exp(score - score.max(-1, keepdims=True))
            heads.append(p / p.sum(-1, keepdims=True) @ v[:, kv])
        return self.linear(np.concatenate(heads, -1), layer, "self_attn.o_proj")

    def feed_forward(self, x, layer):
        gate = ACTIVATIONS[self.spec.activation](self.linear(x, layer, "mlp.gate_proj"))
        return self.linear(gate * self.linear(x, layer, "mlp.up_proj"), layer, "mlp.down_proj")

    def layer(self, x, i):
        if not self.spec.sandwich:
            x = x + self.attention(self.norm(x, i, "input_layernorm"), i)
            return x + self.feed_forward(self.norm(x, i, "post_attention_layernorm"), i)
        x = x + self.norm(self.attention(self.norm(x, i, "input_layernorm"), i), i, "post_attention_layernorm")
        y = self.feed_forward(self.norm(x, i, "pre_feedforward_layernorm"), i)
        return x + self.norm(y, i, "post_feedforward_layernorm")

    def run(self, ids):
        """-> every layer's output at the last position [n_layer, n_embd], logits after it [n_vocab]."""
        s = self.spec
        embedding = self.weights["model.embed_tokens.weight"].astype(np.float64)
        x, outputs = embedding[ids] * s.embed_scale, []
        for i in range(s.n_layer):
            x = self.layer(x, i)
            outputs.append(x[-1])
        norm = self.weights["model.norm.weight"].astype(np.float64) + s.norm_offset
        output = embedding if s.tied else self.weights["lm_head.weight"].astype(np.float64)
        return np.array(outputs), output @ rms_norm(x[-1], norm, s.eps)


def greedy(spec, weights, ids, n, n_tokens):
    """-> n tokens that follow, and by how much each won over the second. Rows from n_tokens on stand for no token
    and are never chosen."""
    ids, margins = list(ids), []
    for _ in range(n):
        logits = Pass(spec, weights).run(ids)[1][:n_tokens]
        ids.append(int(np.argmax(logits)))
        margins.append(float(logits[ids[-1]] - np.partition(logits, -2)[-2]))
    return ids[-n:], margins
