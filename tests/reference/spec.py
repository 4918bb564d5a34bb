# SPDX-License-Identifier: Apache-2.0
"""What a tiny model is: its shape and every choice of its architecture. forward.py reads nothing else."""
import dataclasses
import math


@dataclasses.dataclass(frozen=True, eq=False)
class Spec:
    name: str
    arch: str                       # GGUF's name
    vocabulary: str                 # a row of vocabularies.py
    seed: int
    n_embd: int = 32
    n_layer: int = 4
    n_head: int = 4
    n_head_kv: int = 2
    head_dim: int = 8
    n_ff: int = 40
    n_vocab: int = 291              # no multiple of 16
    n_prompt: int = 40
    dtype: str = "F32"              # of the folder's weights; the numbers are rounded to it first
    n_shards: int = 1
    eps: float = 1e-3               # large, so that a wrong one shows
    tied: bool = True
    rope_base: float = 10000.0
    rope_scaling: dict | None = None
    no_rope_interval: int = 0       # every such layer has no rotation
    qkv_bias: bool = False
    qk_norm: bool = False
    sandwich: bool = False          # Gemma: norms after attention and feed-forward too
    activation: str = "silu"
    window: int = 0                 # of the local layers
    pattern: int = 0                # every such layer is global, the others are local
    rope_base_local: float = 0.0
    norm_offset: float = 0.0        # Gemma folders store norms as w - 1
    scaled_embedding: bool = False  # by sqrt(n_embd)
    # only faulty variants change these
    rope_style: str = "halves"
    rope_scaling_power: int = 1
    no_rope_phase: int = 1
    pattern_phase: int = 1
    kv_heads: str = "grouped"
    qk_norm_after_rope: bool = False
    score_dim: int = 0

    @property
    def embed_scale(self):
        """Exact. transformers rounds the factor to the dtype it computes in, and the reference is float32; GGUF
        programs take it in float32 whatever the file's types are."""
        return math.sqrt(self.n_embd) if self.scaled_embedding else 1.0

    @property
    def score_scale(self):
        return 1 / math.sqrt(self.score_dim or self.head_dim)

    def is_local(self, layer):
        return self.pattern != 0 and (layer + self.pattern_phase) % self.pattern != 0

    def has_rope(self, layer):
        return self.no_rope_interval == 0 or (layer + self.no_rope_phase) % self.no_rope_interval != 0


LLAMA3 = {"factor": 8.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 32,
          "rope_type": "llama3"}

MODELS = [
    Spec("llama", "llama", "smollm2", 8),
    Spec("llama3", "llama", "llama3", 1, n_head=2, n_head_kv=1, head_dim=16, n_prompt=48, dtype="BF16", tied=False,
         eps=1e-2, rope_scaling=LLAMA3),
    Spec("mistral", "llama", "mistral", 2, dtype="F16", tied=False),
    Spec("smollm3", "smollm3", "smollm3", 1, n_layer=5, dtype="BF16", rope_base=5000000.0, no_rope_interval=4),
    Spec("qwen2", "qwen2", "qwen2", 2, rope_base=1000000.0, qkv_bias=True),
    Spec("qwen3", "qwen3", "qwen3", 24, n_head=3, n_head_kv=1, head_dim=16, n_shards=2, eps=1e-2,
         rope_base=1000000.0, qk_norm=True),
    Spec("gemma3", "gemma3", "gemma3", 14, n_vocab=295, n_layer=6, n_head=2, n_head_kv=1, head_dim=24, dtype="BF16",
         eps=1e-2, rope_base=1000000.0, qk_norm=True, sandwich=True, activation="gelu_tanh", window=8, pattern=6,
         rope_base_local=10000.0, norm_offset=1.0, scaled_embedding=True),
]
