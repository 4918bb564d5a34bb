#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/tokenizer/*.json, tokenizer_json.tsv and sentencepiece*.tsv, and what the
fuzz target of tokenizer.json begins with.

Tiny tokenizers of the kinds that real models have, trained on text made here, and the ids that
the Python packages "tokenizers" and "sentencepiece" give for texts that are hard to get right.
Needs those two packages. Usage: make_tokenizer_fixtures.py [folder of tests/]
"""
import io
import json
import pathlib
import random
import sys

import sentencepiece
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from tokenizer_texts import TEXTS

META = "\u2581"
CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
BLANKS = r"\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + BLANKS
QWEN2 = CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + BLANKS
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
HEAD = r"[^\r\n\p{L}\p{N}]?"
GPT4O = (HEAD + UPPER + "*" + LOWER + "+" + CONTRACTION + "?|" + HEAD + UPPER + "+" + LOWER + "*"
         + CONTRACTION + r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + BLANKS)
OWN = r"\w+|[^\w\s]{2}|\d|\s+$"  # no family's: the general way of reading patterns


def corpus():
    """Sentences of made-up words, numbers, marks and other scripts, always the same."""
    rng = random.Random(4)
    syllables = "the an in er on re ha lo mi ta ku sol ver den ing tion".split()
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 3))) for _ in range(150)]
    other = ["привет", "мир", "你好", "世界", "日本語", "naïve", "café", "don't", "I'm", "hello",
             "Việt", "한국어", "2024", "123", "==", "();", "->"]
    lines = []
    for _ in range(600):
        line = [rng.choice(words if rng.random() < 0.8 else other) for _ in range(8)]
        line = [w.capitalize() if rng.random() < 0.2 else w for w in line]
        lines.append("  " * rng.randint(0, 2) + " ".join(line) + rng.choice([".", "!\n", "\n\n"]))
    return lines


def trained(pre_tokenizer, alphabet, n_tokens, normalizer=None):
    """(vocabulary, merges as pairs) of a byte-pair model trained on the corpus."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.train_from_iterator(corpus(), trainers.BpeTrainer(
        vocab_size=n_tokens, initial_alphabet=alphabet, show_progress=False))
    model = json.loads(tokenizer.to_str())["model"]
    return model["vocab"], model["merges"]


def added(token, content, special=True, **flags):
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, **flags}
    return {"id": token, "content": content, "special": special, **flags}


def whole(model, **parts):
    empty = dict.fromkeys(["truncation", "padding", "normalizer", "pre_tokenizer",
                           "post_processor", "decoder"])
    return {"version": "1.0", **empty, "added_tokens": [], **parts,
            "model": {"type": "BPE", "dropout": None, "unk_token": None,
                      "continuing_subword_prefix": None, "end_of_word_suffix": None,
                      "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, **model}}


def split(pattern, behavior="Isolated", invert=False):
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}


def byte_level(use_regex, add_prefix_space=False):
    return {"type": "ByteLevel", "add_prefix_space": add_prefix_space, "trim_offsets": True,
            "use_regex": use_regex}


def sequence(*steps, key="pretokenizers"):
    return {"type": "Sequence", key: list(steps)}


def byte_level_kinds():
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    vocab, pairs = trained(pre_tokenizers.ByteLevel(add_prefix_space=False), alphabet, 420)
    texts = [" ".join(pair) for pair in pairs]
    whole_words = {**vocab, "Ġunreachable": len(vocab), "ĠViá»ĩt!": len(vocab) + 1}
    n = len(whole_words)
    marks = [added(n, "<|endoftext|>"), added(n + 1, "<|im_start|>"), added(n + 2, "<|im_end|>"),
             added(n + 3, "<think>", special=False), added(n + 4, "    ", special=False)]
    decoder = byte_level(True, True)
    bos = {"type": "TemplateProcessing",
           "single": [{"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}},
                      {"Sequence": {"id": "A", "type_id": 0}}],
           "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
           "special_tokens": {"<|endoftext|>": {"id": "<|endoftext|>", "ids": [n],
                                                "tokens": ["<|endoftext|>"]}}}
    base = {"vocab": whole_words, "merges": pairs}
    flags = [added(n, "<l>", lstrip=True), added(n + 1, "<r>", rstrip=True),
             added(n + 2, "word", special=False, single_word=True),
             added(n + 3, "<lr>", lstrip=True, rstrip=True)]
    return {
        "gpt2": whole({**base, "merges": texts}, pre_tokenizer=byte_level(True), decoder=decoder,
                      added_tokens=marks[:1]),
        "qwen2": whole(base, normalizer={"type": "NFC"}, decoder=decoder, added_tokens=marks,
                       pre_tokenizer=sequence(split(QWEN2), byte_level(False))),
        "llama3": whole({**base, "ignore_merges": True}, added_tokens=marks, decoder=decoder,
                        post_processor=sequence(byte_level(True), bos, key="processors"),
                        pre_tokenizer=sequence(split(LLAMA3), byte_level(False))),
        "gpt4o": whole(base, added_tokens=marks, decoder=decoder,
                       pre_tokenizer=sequence(split(GPT4O, "Removed", True), byte_level(False))),
        "deepseek": whole(base, added_tokens=marks, decoder=decoder, pre_tokenizer=sequence(
            split("[\r\n]"), split(r"\s?\p{L}+"), split(r"\s?\p{P}+"),
            split("[一-龥ࠀ-一가-퟿]+"), {"type": "Digits", "individual_digits": True},
            byte_level(False))),
        "flags": whole(base, added_tokens=flags, decoder=decoder, pre_tokenizer=sequence(
            {"type": "Punctuation", "behavior": "MergedWithPrevious"},
            split(r"\s", "MergedWithNext"), split("n", "Contiguous"), byte_level(True, True))),
        "own": whole(base, decoder=decoder, added_tokens=marks[:1], normalizer=sequence(
            {"type": "NFKC"}, {"type": "Lowercase"},
            {"type": "Replace", "pattern": {"Regex": "a{2,}"}, "content": "<A>"},
            {"type": "Strip", "strip_left": False, "strip_right": True}, key="normalizers"),
            pre_tokenizer=sequence(split(OWN, "Isolated"), {"type": "Digits", "individual_digits": False},
                                   byte_level(False))),
    }


def character_kinds():
    replace = normalizers.Replace(" ", META)
    vocab, pairs = trained(pre_tokenizers.Metaspace(META, "never"), [], 320, replace)
    pieces = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)]
    pieces += [META * 2, META * 4, "\n\n", META + META + META, "<b>", "<turn>"]
    pieces += [p for p in sorted(vocab, key=vocab.get) if p not in pieces]
    runs = [[META, META], [META * 2, META * 2], ["\n", "\n"], [META * 2, META]]
    ids = {p: i for i, p in enumerate(pieces)}
    model = {"vocab": ids, "merges": runs + [p for p in pairs if p not in runs],
             "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}
    specials = [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]
    user = [added(ids[p], p, special=False) for p in pieces[259:264]] + [added(264, pieces[264])]
    spell = {"type": "Replace", "pattern": {"String": META}, "content": " "}
    fallback, fuse = {"type": "ByteFallback"}, {"type": "Fuse"}
    to_meta = {"type": "Replace", "pattern": {"String": " "}, "content": META}
    first = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
    metaspace = {"type": "Metaspace", "replacement": META, "prepend_scheme": "first",
                 "split": False}
    no_bytes = {p: i for i, p in enumerate(q for q in pieces if not q.startswith("<0x"))}
    return {
        "llama2": whole({**model, "merges": [" ".join(m) for m in model["merges"]]},
                        added_tokens=specials,
                        normalizer=sequence({"type": "Prepend", "prepend": META}, to_meta,
                                            key="normalizers"),
                        decoder=sequence(spell, fallback, fuse, first, key="decoders")),
        "gemma": whole(model, added_tokens=specials + user, normalizer=to_meta,
                       pre_tokenizer={"type": "Split", "pattern": {"String": " "},
                                      "behavior": "MergedWithPrevious", "invert": False},
                       decoder=sequence(spell, fallback, fuse, key="decoders")),
        "mistral": whole(model, added_tokens=specials, pre_tokenizer=metaspace,
                         decoder=sequence(spell, fallback, fuse, first, key="decoders")),
        "no_bytes": whole({**model, "vocab": no_bytes, "byte_fallback": False},
                          added_tokens=specials, decoder={**metaspace, "split": True},
                          pre_tokenizer={**metaspace, "prepend_scheme": "always", "split": True}),
    }


def escaped(text):
    out = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return "".join(c if c.isprintable() or c == " " else
                   "".join(f"\\x{b:02X}" for b in c.encode()) for c in out)


def write_rows(path, comment, rows):
    lines = [f"# {comment}"] + ["\t".join(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_seeds(folder, kinds):
    """The same kinds with few tokens: what follows the first NUL is a text to encode."""
    pieces = ["a", "b", "ab", "Ġ", META, "<unk>", "<0x0A>", "\u010A", "abb"]
    for name, parts in kinds.items():
        model = {**parts["model"], "vocab": {p: i for i, p in enumerate(pieces)},
                 "merges": [["a", "b"], ["ab", "b"]]}
        marks = [{**t, "id": len(pieces) + i} for i, t in enumerate(parts["added_tokens"])]
        text = json.dumps({**parts, "model": model, "added_tokens": marks}, ensure_ascii=False)
        (folder / f"{name}.json").write_bytes((text + "\0ab abb <s>\n  a<|im_end|>").encode())


def write_tokenizer_json(folder, kinds):
    rows = []
    for name, parts in kinds.items():
        text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        tokenizer = Tokenizer.from_str(text)
        for sample in TEXTS:
            ids = tokenizer.encode(sample, add_special_tokens=False).ids
            back = tokenizer.decode(ids, skip_special_tokens=False)
            rows.append([name, escaped(sample), " ".join(map(str, ids)), escaped(back)])
    write_rows(folder / "tokenizer_json.tsv",
               "tokenizer, text, its ids and what they decode to, all marks parsed, by the Python "
               "package tokenizers", rows)


def write_sentencepiece(path, user_defined, prefix):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus()), model_writer=model, model_type="bpe", vocab_size=620,
        byte_fallback=True, character_coverage=0.995, add_dummy_prefix=prefix,
        normalization_rule_name="identity", remove_extra_whitespaces=False,
        user_defined_symbols=user_defined, minloglevel=2)
    sp = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    kinds = [(sp.is_unknown, 2), (sp.is_control, 3), (sp.is_unused, 5), (sp.is_byte, 6),
             (lambda i: sp.id_to_piece(i) in user_defined, 4), (lambda i: True, 1)]
    rows = []
    for i in range(sp.vocab_size()):
        kind = next(k for is_kind, k in kinds if is_kind(i))
        rows.append(["piece", str(kind), repr(sp.get_score(i)), escaped(sp.id_to_piece(i))])
    for sample in TEXTS:
        rows.append(["text", escaped(sample), " ".join(map(str, sp.encode(sample)))])
    write_rows(path, "A vocabulary (type, score, piece) trained by the Python package "
               "sentencepiece, and the ids that it gives for texts", rows)


def main():
    here = pathlib.Path(__file__).resolve().parent
    tests = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here.parent
    folder, seeds = tests / "data/tokenizer", tests / "fuzz/corpus/tokenizer_json"
    for path in (folder, seeds):
        path.mkdir(parents=True, exist_ok=True)
    kinds = {**byte_level_kinds(), **character_kinds()}
    write_tokenizer_json(folder, kinds)
    write_seeds(seeds, kinds)
    blanks = ["\n\n", "\n", META * 2, META * 4]
    write_sentencepiece(folder / "sentencepiece.tsv", blanks, True)
    write_sentencepiece(folder / "sentencepiece_no_prefix.tsv", blanks + ["<b>"], False)


main()
