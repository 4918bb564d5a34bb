# SPDX-License-Identifier: Apache-2.0
"""A tiny model as a folder with the files and keys that repositories of its family have."""
import json

import safetensors_file
import vocabularies

CLASSES = {"llama": "LlamaForCausalLM", "mistral": "MistralForCausalLM", "smollm3": "SmolLM3ForCausalLM",
           "qwen2": "Qwen2ForCausalLM", "qwen3": "Qwen3ForCausalLM", "gemma3_text": "Gemma3ForCausalLM"}
DTYPES = {"F32": "float32", "F16": "float16", "BF16": "bfloat16"}


def model_type(s):
    return {"mistral": "mistral", "gemma3": "gemma3_text"}.get(s.name, s.arch)


def rope_keys(s, kind):
    if kind == "qwen3":     # the newer spelling
        return {"rope_parameters": {"rope_theta": s.rope_base, "rope_type": "default"}}
    return {"rope_theta": s.rope_base} if kind in ("mistral", "qwen2") else \
        {"rope_theta": s.rope_base, "rope_scaling": s.rope_scaling}


def family_keys(s, kind):
    if kind == "llama":
        keys = {"attention_bias": False, "mlp_bias": False, "pretraining_tp": 1}
        return keys | ({"head_dim": s.head_dim} if s.rope_scaling or s.n_head * s.head_dim != s.n_embd else {})
    if kind == "mistral":
        return {"sliding_window": None}
    if kind == "smollm3":
        return {"attention_bias": False, "mlp_bias": False, "use_sliding_window": False, "sliding_window": None,
                "no_rope_layer_interval": s.no_rope_interval, "max_window_layers": 28,
                "no_rope_layers": [int(s.has_rope(i)) for i in range(s.n_layer)],
                "layer_types": ["full_attention"] * s.n_layer}
    if kind in ("qwen2", "qwen3"):
        keys = {"use_sliding_window": False, "sliding_window": 4096 if kind == "qwen2" else None,
                "max_window_layers": s.n_layer}
        return keys | ({"head_dim": s.head_dim, "attention_bias": False} if kind == "qwen3" else {})
    return {"attention_bias": False, "head_dim": s.head_dim, "query_pre_attn_scalar": s.head_dim,
            "sliding_window": s.window, "sliding_window_pattern": s.pattern, "rope_local_base_freq": s.rope_base_local,
            "attn_logit_softcapping": None, "final_logit_softcapping": None, "cache_implementation": "hybrid"}


def end_ids(v):
    ids = [v.id_of(t) for t in v.ends]
    return ids[0] if len(ids) == 1 else ids


def config(s, v):
    kind = model_type(s)
    c = {"architectures": [CLASSES[kind]], "model_type": kind, "vocab_size": s.n_vocab, "hidden_size": s.n_embd,
         "intermediate_size": s.n_ff, "num_hidden_layers": s.n_layer, "num_attention_heads": s.n_head,
         "num_key_value_heads": s.n_head_kv, "max_position_embeddings": 512, "rms_norm_eps": s.eps,
         "hidden_activation" if s.sandwich else "hidden_act": "gelu_pytorch_tanh" if s.sandwich else "silu",
         "tie_word_embeddings": s.tied, "attention_dropout": 0.0, "initializer_range": 0.02, "use_cache": True,
         "torch_dtype": DTYPES[s.dtype], "transformers_version": "4.53.0", "eos_token_id": end_ids(v)}
    c |= rope_keys(s, kind) | family_keys(s, kind)
    if v.bos:
        c["bos_token_id"] = v.id_of(v.bos)
    if v.pad:
        c["pad_token_id"] = v.id_of(v.pad)
    return c


def added_token(text, special):
    return {"content": text, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
            "special": special}


def tokenizer(v):
    # Marks behind the last merge stand in added_tokens alone, those at the beginning in both.
    n_model = max(i for i, (_, kind) in enumerate(v.tokens) if kind == vocabularies.NORMAL) + 1
    vocab = {t: i for i, (t, _) in enumerate(v.tokens[:n_model])}
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
             "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False}
    model |= v.model_parts
    merges = [list(m) for m in v.merges] if v.merges_as_pairs else [a + " " + b for a, b in v.merges]
    parts = {"normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None} | v.parts
    return {"version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [{"id": i} | added_token(t, special) for i, t, special in v.added()],
            **parts, "model": model | {"vocab": vocab, "merges": merges}}


def tokenizer_config(v):
    c = {"added_tokens_decoder": {str(i): added_token(t, special) for i, t, special in v.added()},
         "bos_token": v.bos, "eos_token": v.eos, "pad_token": v.pad, "unk_token": v.unk, "add_bos_token": v.add_bos,
         "add_eos_token": False, "clean_up_tokenization_spaces": False, "model_max_length": 512,
         "tokenizer_class": v.tokenizer_class}
    return c if v.chat_in_file else c | {"chat_template": v.chat}


def generation_config(v):
    c = {"do_sample": True, "temperature": 0.6, "top_p": 0.95, "eos_token_id": end_ids(v),
         "transformers_version": "4.53.0"}
    c |= {"bos_token_id": v.id_of(v.bos)} if v.bos else {}
    return c | ({"pad_token_id": v.id_of(v.pad)} if v.pad else {})


def write_json(path, value, **how):
    path.write_text(json.dumps(value, ensure_ascii=False, **how) + "\n", encoding="utf-8")


def write(folder, spec, weights):
    v = vocabularies.make(spec.vocabulary)
    folder.mkdir(parents=True, exist_ok=True)
    safetensors_file.write_folder(folder, weights, spec.dtype, spec.n_shards)
    write_json(folder / "config.json", config(spec, v), indent=2)
    write_json(folder / "generation_config.json", generation_config(v), indent=2)
    write_json(folder / "tokenizer.json", tokenizer(v), separators=(",", ":"))
    write_json(folder / "tokenizer_config.json", tokenizer_config(v), indent=2)
    if v.chat_in_file:
        (folder / "chat_template.jinja").write_text(v.chat, encoding="utf-8")
