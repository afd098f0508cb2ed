"""Removes what should not be handed on: secrets, and who and where somebody is."""

from __future__ import annotations

import re
from collections.abc import Callable

_NAMES = "token|secret|password|passwd|api[_-]?key|access[_-]?key|credential|authorization"
_SECRETS = (
    re.compile(
        rf"(?i)(?<![\w-])([\w-]{{0,40}}?(?:{_NAMES})[\w-]{{0,40}}[\"']?\s{{0,4}}[=:]\s{{0,4}}[\"']?(?:bearer\s+)?)"
        r"[^\s\"',;&]{3,}"
    ),
    re.compile(r"()\b(?:hf_|ghp_|gho_|github_pat_|glpat-|sk-|xox[abprs]-|AKIA|ASIA|wandb_v1_)[A-Za-z0-9_-]{8,}"),
    re.compile(r"()\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{4,}[A-Za-z0-9._-]*"),
    re.compile(r"(\b[a-z][a-z0-9+.-]{0,20}://)[^\s/@:]+(?::[^\s/@]*)?@"),
    re.compile(r"()\b[0-9a-f]{40}\b"),
)
_ADDRESS = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b(?!\.\d)")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+\b")
_PATH = re.compile(r"(?<![\w.:/-])(?:[A-Za-z]:)?(?:[\\/]+[^\s\\/\"'`<>|:;,()\[\]{}]+){2,}[\\/]?")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{0,20}://[^\s\"'`<>]+")
_NODE = re.compile(r"(?i)(\b(?:node|host(?:name)?|on|ip)\b[ =:]+)(?=[\w.-]{0,60}\d)[a-z][\w.-]{2,}")
_SECRET, _HOST = "[secret]", "[host]"


def redacted(text: str) -> str:
    """The text without them. Of a path, the file's own name stays."""
    for pattern in _SECRETS:
        text = pattern.sub(lambda found: f"{found[1]}{_SECRET}", text)
    text = _MAIL.sub("[address]", text)
    text = _URL.sub("[url]", text)
    text = _ADDRESS.sub(_HOST, text)
    text = _PATH.sub(_last, text)
    return _NODE.sub(rf"\1{_HOST}", text)


def _last(found: re.Match[str]) -> str:
    parts = [part for part in re.split(r"[\\/]+", found[0]) if part]
    return f".../{parts[-1]}"


def cleaner(redact: bool) -> Callable[[str], str]:
    """What makes texts ready to be shown."""
    return redacted if redact else str
