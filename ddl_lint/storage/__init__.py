"""What is kept on disk from one run to the next: entries by name, in a folder of the user's own.

Everything here can be made again. So nothing in it raises an error: what cannot be read is not there, what cannot be
written is not kept.
"""

from __future__ import annotations

from ddl_lint.storage.codec import Codec
from ddl_lint.storage.description import description
from ddl_lint.storage.fingerprint import digest, fingerprint, kept_fingerprint, stamp
from ddl_lint.storage.folder import (
    Cleared,
    Storage,
    cache_folder,
    distrusted,
    is_ours,
    make_cache_folder,
    own_storage,
    user_storage,
)

__all__ = [
    "Cleared",
    "Codec",
    "Storage",
    "cache_folder",
    "description",
    "digest",
    "distrusted",
    "fingerprint",
    "is_ours",
    "kept_fingerprint",
    "make_cache_folder",
    "own_storage",
    "stamp",
    "user_storage",
]
