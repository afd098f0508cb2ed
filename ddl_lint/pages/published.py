"""Where the documentation is published: the address named `Documentation` in the metadata of this package, if any."""

from __future__ import annotations

import functools
from importlib import metadata

from ddl_lint.registry.rules import Rule

_LABEL = "documentation"


def published_page(rule: Rule) -> str:
    """The address of a rule's page; empty while the documentation is not published, or has no page of it."""
    base = documentation()
    return f"{base.rstrip('/')}/rules/{rule.name}.html" if base and not rule.info.is_engine else ""


@functools.cache
def documentation() -> str:
    """The address of the documentation; empty while there is none."""
    try:
        addresses = metadata.metadata("ddl-lint").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    for address in addresses:
        label, _, url = address.partition(",")
        if label.strip().lower() == _LABEL and url.strip().startswith("https://"):
            return url.strip()
    return ""
