# SPDX-License-Identifier: Apache-2.0
"""A tiny model as the GGUF file that the usual converter makes of its folder."""
import numpy as np

import forward
import vocabularies
from gguf_file import BOOL, F32, I32, STRING, U32, GgufFile

NAMES = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
         "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
         "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
SANDWICH_NAMES = NAMES | {"post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
                          "post_feedforward_layernorm": "post_ffw_norm"}
OUTER_NAMES = {"model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight",
               "lm_head.weight": "output.weight"}


def gguf_name(spec, name):
    if name in OUTER_NAMES:
        return OUTER_NAMES[name]
    _, _, layer, rest = name.split(".", 3)
    stem, suffix = rest.rsplit(".", 1)
    return "blk.%s.%s.%s" % (layer, (SANDWICH_NAMES if spec.sandwich else NAMES)[stem], suffix)


def permuted(rows, n_head):
    """Folders keep the two halves that RoPE turns apart in a head, these files make them neighbours."""
    return rows.reshape(n_head, 2, -1, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def gguf_array(spec, name, array):
    if spec.arch in ("llama", "smollm3"):
        if ".q_proj." in name:
            return permuted(array, spec.n_head)
        if ".k_proj." in name:
            return permuted(array, spec.n_head_kv)
    if spec.norm_offset and name.endswith("norm.weight"):
        return array + np.float32(spec.norm_offset)
    return array


def put_shape(f, s):
    f.put("general.type", STRING, "model")
    f.put("general.name", STRING, "tiny " + s.name)
    for key, value in ((".block_count", s.n_layer), (".context_length", 512), (".embedding_length", s.n_embd),
                       (".feed_forward_length", s.n_ff), (".attention.head_count", s.n_head),
                       (".attention.head_count_kv", s.n_head_kv)):
        f.put(key, U32, value)
    f.put(".rope.freq_base", F32, s.rope_base)
    f.put(".attention.layer_norm_rms_epsilon", F32, s.eps)
    if s.head_dim * s.n_head != s.n_embd:
        f.put(".attention.key_length", U32, s.head_dim)
        f.put(".attention.value_length", U32, s.head_dim)
    if s.arch in ("llama", "smollm3"):
        f.put(".vocab_size", U32, s.n_vocab)
        f.put(".rope.dimension_count", U32, s.head_dim)
    if s.window:  # real files have neither the pattern nor the local base
        f.put(".attention.sliding_window", U32, s.window)


def put_vocabulary(f, s, v):
    tokens = v.gguf_tokens(s.n_vocab)
    f.put("tokenizer.ggml.model", STRING, v.model)
    f.put("tokenizer.ggml.pre", STRING, v.pre)
    f.put_list("tokenizer.ggml.tokens", STRING, [t for t, _ in tokens])
    if v.scores:
        f.put_list("tokenizer.ggml.scores", F32, v.scores + [-10000.0] * (len(tokens) - len(v.scores)))
    f.put_list("tokenizer.ggml.token_type", I32, [kind for _, kind in tokens])
    if not v.scores:
        f.put_list("tokenizer.ggml.merges", STRING, [a + " " + b for a, b in v.merges])
    for key, text in (("bos", v.bos), ("eos", v.eos), ("unknown", v.unk), ("padding", v.pad)):
        if text:
            f.put("tokenizer.ggml.%s_token_id" % key, U32, v.id_of(text))
    f.put("tokenizer.ggml.add_bos_token", BOOL, v.add_bos)
    if v.model == "llama":
        f.put("tokenizer.ggml.add_eos_token", BOOL, False)
    if s.arch == "gemma3":
        f.put("tokenizer.ggml.add_space_prefix", BOOL, False)
    f.put("tokenizer.chat_template", STRING, v.chat)


def header(spec, file_type):
    f = GgufFile(spec.arch)
    put_shape(f, spec)
    f.put("general.file_type", U32, file_type)
    f.put("general.quantization_version", U32, 2)
    put_vocabulary(f, spec, vocabularies.make(spec.vocabulary))
    return f


def write(path, spec, weights):
    f = header(spec, 0)
    if spec.rope_scaling:
        f.add_array("rope_freqs.weight", forward.rope_factors(spec))
    for name, array in weights.items():
        f.add_array(gguf_name(spec, name), gguf_array(spec, name, array))
    f.write(path)
