"""How hooks and CI jobs get ddl-lint, as the pages show it: from its published address, or until there is one from a
checkout.

The addresses are those of `[project.urls]` in `pyproject.toml`, the one place that names them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ddl_lint.source import read_text
from ddl_lint.source.toml_text import read_toml


@dataclass(frozen=True)
class Addresses:
    """Where ddl-lint is published; empty where it is not."""

    repository: str = ""
    """Of the source code, on a forge."""
    documentation: str = ""
    """Of the site that `make site` builds."""

    @property
    def slug(self) -> str:
        """The repository as actions name it: `owner/name`."""
        return "/".join(self.repository.rstrip("/").split("/")[-2:])


def addresses(root: Path) -> Addresses:
    """What the `pyproject.toml` of a folder says."""
    project: Mapping[str, Any] = read_toml(read_text((root / "pyproject.toml").as_posix()))["project"]
    urls = {label.lower(): str(url).rstrip("/") for label, url in project.get("urls", {}).items()}
    return Addresses(urls.get("repository", ""), urls.get("documentation", ""))


def installation_parts(published: Addresses, version: str) -> Mapping[str, str]:
    """The parts of `docs/ci.md` that depend on the addresses, by their markers."""
    tag = f"v{version.partition('.dev')[0]}"
    if published.repository:
        return {
            "hook": _PUBLISHED_HOOK.format(repository=published.repository, tag=tag),
            "action": _ACTION.format(uses=f"{published.slug}@{tag}", note=_PINNED, checkout=""),
            "gitlab": _GITLAB.format(
                note="", include=f"remote: {published.repository}/raw/{tag}/ci/ddl-lint.gitlab-ci.yml"
            ),
        }
    checkout = "\n    with:\n      submodules: true"
    return {
        "hook": _LOCAL_HOOK,
        "action": _ACTION.format(uses="./tools/ddl-lint", note=_SUBMODULE, checkout=checkout),
        "gitlab": _GITLAB.format(note=_COPY, include="local: ci/ddl-lint.gitlab-ci.yml"),
    }


_PUBLISHED_HOOK = """\
```yaml
repos:
  - repo: {repository}
    rev: {tag}            # `pre-commit autoupdate` sets it to the newest tag
    hooks:
      - id: ddl-lint      # or ddl-lint-fix, which also applies the safe fixes
```"""

_LOCAL_HOOK = """\
With ddl-lint installed where you commit:

```yaml
repos:
  - repo: local
    hooks:
      - id: ddl-lint
        name: ddl-lint
        entry: ddl-lint check --force-exclude   # add --fix to apply the safe fixes
        language: system
        types: [text]
        require_serial: true
```

A checkout of ddl-lint on your own server also works as a hook repository: its `.pre-commit-hooks.yaml` defines
`ddl-lint` and `ddl-lint-fix`, and `pre-commit try-repo ../ddl-lint ddl-lint --all-files` tries them."""

_ACTION = """\
{note}

```yaml
permissions:
  contents: read
  security-events: write   # only for `upload`

steps:
  - uses: actions/checkout@v5{checkout}
  - uses: {uses}
    with:
      paths: |
        src
        launch
      upload: "true"
      report-file: report.html
```"""

_PINNED = "Pin actions by their commit in place of the tag: a tag can be moved."
_SUBMODULE = (
    "The action is the repository itself. Add it to yours as a submodule, which names a commit, in `tools/ddl-lint`:"
)
_COPY = "With a copy of `ci/ddl-lint.gitlab-ci.yml` in your repository:\n\n"

_GITLAB = """\
{note}```yaml
include:
  - {include}
variables:
  DDL_LINT_REQUIREMENT: /wheels/ddl_lint-0.1.0-py3-none-any.whl   # in the image, or an https address with #sha256=
  DDL_LINT_ARGUMENTS: --preview src launch
```"""
