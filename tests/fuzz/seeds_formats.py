#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the inputs that the fuzz targets safetensors and hub_config start from into corpus/."""
import json
import pathlib
import struct

CORPUS = pathlib.Path(__file__).parent / "corpus"


def put(target, name, data):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def safetensors():
    header = json.dumps({
        "__metadata__": {"format": "pt"},
        "q": tensor("F32", [2, 4], 0, 32),
        "k": tensor("F16", [2, 4], 32, 48),
        "v": tensor("BF16", [8], 48, 64),
        "none": tensor("F16", [0, 3], 64, 64),
    })
    put("safetensors", "file", struct.pack("<Q", len(header)) + header.encode() + b"x" * 64)
    put("safetensors", "header", "H" + header)
    put("safetensors", "header_types", "H" + json.dumps({
        "i": tensor("I64", [4], 0, 32), "j": tensor("I8", [32], 32, 64)}) + "  ")
    put("safetensors", "header_number", "H" + json.dumps({
        "s": tensor("F32", [], 0, 4), "r": tensor("I16", [30], 4, 64)}))
    put("safetensors", "index", "I" + json.dumps({"metadata": {"total_size": 42}, "weight_map": {
        "a": "1.safetensors", "b": "1.safetensors", "c": "2.safetensors", "d": "2.safetensors"}}))
    put("safetensors", "index_climbs", "I" + json.dumps({"weight_map": {"a": "../1.safetensors"}}))


def hub_config():
    put("hub_config", "llama", json.dumps({
        "architectures": ["LlamaForCausalLM"], "head_dim": None, "hidden_size": 576,
        "eos_token_id": [128001, 128009], "rms_norm_eps": 1e-05, "rope_theta": 500000.0,
        "rope_scaling": {"factor": 32.0, "rope_type": "llama3"}, "tie_word_embeddings": True}))
    put("hub_config", "template", json.dumps({
        "chat_template": [{"name": "default", "template": "{{ '\u00e9\U0001f600' }}\n"}]}))
    put("hub_config", "many_keys", json.dumps({"key%d" % i: i for i in range(20)}))
    put("hub_config", "numbers", "[0, -0.0, 9223372036854775807, 9223372036854775808, 1e308, 1E-9]")


if __name__ == "__main__":
    safetensors()
    hub_config()
