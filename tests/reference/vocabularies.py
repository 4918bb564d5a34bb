# SPDX-License-Identifier: Apache-2.0
"""Tiny vocabularies of the families' kinds, for both formats: all bytes, a few merges, the families' marks.

A vocabulary may have fewer tokens than the model has rows: GGUF files then list unused [PADn], folders nothing.
"""
import dataclasses

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
BLANK = "\u2581"
SYLLABLES = "Ġ t|h e|Ġt he|i n|r e|o n|Ġ a|e r|n d|Ġa nd|l l|ll o|he llo|i s|Ġ is|o r|a t|e s|Ġ Ġ|ĠĠ ĠĠ|Ċ Ċ|Ġ w|in g"
PIECES = "▁ t|h e|▁t he|i n|r e|o n|▁ a|e r|n d|▁a nd|l l|i s|▁ is|o r"
LETTERS = "▁etaoinsrhldc"

LLAMA3_SPLIT = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
                r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2_SPLIT = LLAMA3_SPLIT.replace(r"\p{N}{1,3}", r"\p{N}")

CHATML = ("{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>'"
          " + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}")
LLAMA3_CHAT = ("{{ bos_token }}{% for message in messages %}{{ '<|start_header_id|>' + message['role'] +"
               " '<|end_header_id|>\n\n' + message['content'] | trim + '<|eot_id|>' }}{% endfor %}"
               "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}")
MISTRAL_CHAT = ("{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}"
                "{{ '[INST] ' + message['content'] + ' [/INST]' }}{% else %}"
                "{{ ' ' + message['content'] + eos_token }}{% endif %}{% endfor %}")
GEMMA_CHAT = ("{{ bos_token }}{% for message in messages %}{{ '<start_of_turn>' + ('model' if message['role'] =="
              " 'assistant' else message['role']) + '\n' + message['content'] | trim + '<end_of_turn>\n' }}{% endfor %}"
              "{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}")


@dataclasses.dataclass
class Vocabulary:
    model: str                          # tokenizer.ggml.model
    pre: str                            # tokenizer.ggml.pre
    tokens: list                        # (text, kind) by id, as a folder spells them
    merges: list                        # (left, right)
    chat: str
    bos: str | None
    eos: str
    ends: list                          # texts of all tokens that end an answer
    pad: str | None = None
    unk: str | None = None
    add_bos: bool = False
    scores: list | None = None
    merges_as_pairs: bool = True
    chat_in_file: bool = False          # chat_template.jinja beside tokenizer_config.json
    tokenizer_class: str = "PreTrainedTokenizerFast"
    parts: dict = dataclasses.field(default_factory=dict)   # tokenizer.json's own
    model_parts: dict = dataclasses.field(default_factory=dict)

    def id_of(self, text):
        return None if text is None else [t for t, _ in self.tokens].index(text)

    def added(self):
        """(id, text, special) of what no merge makes."""
        return [(i, t, kind != USER_DEFINED) for i, (t, kind) in enumerate(self.tokens)
                if kind in (CONTROL, UNKNOWN, USER_DEFINED)]

    def gguf_tokens(self, n_vocab):
        """Texts and kinds of n_vocab rows; user-defined blanks are written as blanks."""
        assert len(self.tokens) <= n_vocab, len(self.tokens)
        rows = [(t.replace(BLANK, " ") if kind == USER_DEFINED else t, kind) for t, kind in self.tokens]
        return rows + [("[PAD%d]" % i, UNUSED) for i in range(len(rows), n_vocab)]


def byte_letters():
    """The 256 letters that byte-level BPE writes bytes with, in its order."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return [chr(b) for b in shown] + [chr(256 + i) for i in range(256 - len(shown))]


def byte_level(marks_first, marks, split, syllables=SYLLABLES, **more):
    merges = [tuple(m.split(" ")) for m in syllables.split("|")]
    text = [(t, NORMAL) for t in byte_letters() + [a + b for a, b in merges]]
    steps = [{"type": "Split", "pattern": {"Regex": split}, "behavior": "Isolated", "invert": False}] if split else \
        [{"type": "Digits", "individual_digits": True}]
    byte_step = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": not split}
    v = Vocabulary("gpt2", tokens=marks + text if marks_first else text + marks, merges=merges, **more)
    v.parts = {"pre_tokenizer": {"type": "Sequence", "pretokenizers": steps + [byte_step]},
               "decoder": dict(byte_step, use_regex=True), "post_processor": None}
    if v.add_bos:
        v.parts["post_processor"] = {"type": "Sequence", "processors": [
            dict(byte_step, trim_offsets=False, use_regex=True), begin(v)]}
    return v


def begin(v):
    """The post-processor that puts BOS in front."""
    mark = {"SpecialToken": {"id": v.bos, "type_id": 0}}
    one, two = {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}
    return {"type": "TemplateProcessing", "single": [mark, one],
            "pair": [mark, one, {"SpecialToken": {"id": v.bos, "type_id": 1}}, two],
            "special_tokens": {v.bos: {"id": v.bos, "ids": [v.id_of(v.bos)], "tokens": [v.bos]}}}


def controls(*texts):
    return [(t, CONTROL) for t in texts]


def pieces_of(marks, more_pieces=()):
    """SentencePiece: marks, bytes, pieces by rank, letters; scores fall with the rank. Merges as model folders
    derive them from the scores: every way to put a piece together from two others, best piece first."""
    made = list(more_pieces) + [m.replace(" ", "") for m in PIECES.split("|")]
    tokens = marks + [("<0x%02X>" % b, BYTE) for b in range(256)] + [(t, NORMAL) for t in made + list(LETTERS)]
    known = {t for t, kind in tokens if kind in (NORMAL, USER_DEFINED)}
    first = len(marks) + 256
    scores = [0.0] * first + [-float(i) for i in range(len(tokens) - first)]
    ids = {t: i for i, (t, _) in enumerate(tokens)}
    merges = []
    for piece in made:
        splits = [(piece[:k], piece[k:]) for k in range(1, len(piece))]
        merges += sorted((s for s in splits if known >= set(s)), key=lambda s: (ids[s[0]], ids[s[1]]))
    return tokens, scores, merges


def mistral():
    tokens, scores, merges = pieces_of([("<unk>", UNKNOWN)] + controls("<s>", "</s>"), ["▁▁"])
    v = Vocabulary("llama", "default", tokens, merges, MISTRAL_CHAT, "<s>", "</s>", ["</s>"], unk="<unk>", add_bos=True,
                   scores=scores, merges_as_pairs=False, tokenizer_class="LlamaTokenizer")
    v.parts = {"normalizer": {"type": "Sequence", "normalizers": [
                   {"type": "Prepend", "prepend": BLANK}, replace(" ", BLANK)]},
               "decoder": {"type": "Sequence", "decoders": [
                   replace(BLANK, " "), {"type": "ByteFallback"}, {"type": "Fuse"},
                   {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
               "post_processor": begin(v)}
    v.model_parts = {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}
    return v


def gemma3():
    marks = controls("<pad>", "<eos>", "<bos>", "<unk>", "<mask>", "<unused0>", "<start_of_turn>", "<end_of_turn>")
    marks += [(t, USER_DEFINED) for t in ("\n", "\n\n", BLANK * 2, BLANK * 3)]
    tokens, scores, merges = pieces_of(marks)
    merges = [(BLANK, BLANK), (BLANK, BLANK * 2), (BLANK * 2, BLANK)] + merges
    scores[:len(marks)] = [-1000.0] * len(marks)
    v = Vocabulary("llama", "default", tokens, merges, GEMMA_CHAT, "<bos>", "<eos>", ["<eos>", "<end_of_turn>"],
                   pad="<pad>", unk="<unk>", add_bos=True, scores=scores, tokenizer_class="GemmaTokenizer")
    v.parts = {"normalizer": replace(" ", BLANK),
               "pre_tokenizer": {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious",
                                 "invert": False},
               "decoder": {"type": "Sequence", "decoders": [
                   replace(BLANK, " "), {"type": "ByteFallback"}, {"type": "Fuse"}]},
               "post_processor": begin(v)}
    v.model_parts = {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}
    return v


def replace(what, by):
    return {"type": "Replace", "pattern": {"String": what}, "content": by}


def smollm2():
    return byte_level(True, controls("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<repo_name>", "<file_sep>"), None,
                      pre="smollm", chat=CHATML, bos="<|im_start|>", eos="<|im_end|>", ends=["<|im_end|>"],
                      pad="<|im_end|>", unk="<|endoftext|>", merges_as_pairs=False, tokenizer_class="GPT2Tokenizer")


def llama3():
    marks = ["begin_of_text", "end_of_text", "start_header_id", "end_header_id", "eom_id", "eot_id"]
    marks += ["reserved_special_token_%d" % i for i in range(6)]
    v = byte_level(False, controls(*("<|%s|>" % m for m in marks)), LLAMA3_SPLIT, pre="llama-bpe", chat=LLAMA3_CHAT,
                   bos="<|begin_of_text|>", eos="<|eot_id|>", ends=["<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"],
                   add_bos=True)
    v.model_parts = {"ignore_merges": True}
    return v


def smollm3():
    marks = controls("<|begin_of_text|>", "<|end_of_text|>", "<|im_start|>", "<|im_end|>")
    marks += [("<think>", USER_DEFINED), ("</think>", USER_DEFINED)]
    v = byte_level(False, marks, LLAMA3_SPLIT, pre="smaug-bpe", chat=CHATML, bos="<|begin_of_text|>", eos="<|im_end|>",
                   ends=["<|im_end|>"], pad="<|im_end|>", chat_in_file=True)
    v.model_parts = {"ignore_merges": True}
    return v


def qwen(thinking):
    marks = controls("<|endoftext|>", "<|im_start|>", "<|im_end|>")
    marks += [("<tool_call>", USER_DEFINED), ("</tool_call>", USER_DEFINED)]
    marks += [("<think>", USER_DEFINED), ("</think>", USER_DEFINED)] if thinking else []
    v = byte_level(False, marks, QWEN2_SPLIT, pre="qwen2", chat=CHATML, bos=None, eos="<|im_end|>",
                   ends=["<|im_end|>", "<|endoftext|>"], pad="<|endoftext|>", merges_as_pairs=False,
                   tokenizer_class="Qwen2Tokenizer")
    v.parts["normalizer"] = {"type": "NFC"}
    return v


def only_bytes():
    """For files whose size is their weights'."""
    return byte_level(False, controls("<|endoftext|>", "<|im_start|>", "<|im_end|>"), QWEN2_SPLIT, "Ġ t|h e|Ġt he",
                      pre="qwen2", chat=CHATML, bos=None, eos="<|im_end|>", ends=["<|im_end|>"])


def make(kind):
    return {"bytes": only_bytes, "smollm2": smollm2, "llama3": llama3, "mistral": mistral, "smollm3": smollm3,
            "gemma3": gemma3, "qwen2": lambda: qwen(False), "qwen3": lambda: qwen(True)}[kind]()
