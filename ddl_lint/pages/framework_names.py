"""The frameworks of the rules, as their projects write them."""

from __future__ import annotations

from collections.abc import Mapping

FRAMEWORKS: Mapping[str, str] = {
    "pytorch": "PyTorch",
    "tensorflow": "TensorFlow",
    "keras": "Keras",
    "horovod": "Horovod",
    "deepspeed": "DeepSpeed",
    "megatron": "Megatron-LM",
    "colossalai": "Colossal-AI",
    "accelerate": "Accelerate",
    "transformers": "Transformers",
    "lightning": "Lightning",
    "ray": "Ray Train",
}
"""Each by the word of `rule.yaml`."""
