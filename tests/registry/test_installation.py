"""How pages say to install hooks and actions: one setting names the addresses, and without it none is made up."""

from __future__ import annotations

from pathlib import Path

import yaml

from ddl_lint.pages.docs import with_addresses
from ddl_lint.pages.installation import Addresses, addresses, installation_parts

ROOT = Path(__file__).parents[2]
FIRST_PATH = ("README.md", "docs/index.md", "docs/first-finding.md", "docs/ci.md", "docs/editors.md")


def block(part: str) -> object:
    return yaml.safe_load(part.partition("```yaml\n")[2].partition("```")[0])


def test_no_placeholder_is_on_the_first_path() -> None:
    for name in FIRST_PATH:
        text = (ROOT / name).read_text(encoding="utf-8")
        for placeholder in ("<address", "<owner>", "<commit>", "<a tag", "<your", "<its hash>", "example.com"):
            assert placeholder not in text, f"{name}: {placeholder}"


def test_the_page_about_ci_is_up_to_date() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    assert with_addresses(page, ROOT) == page, "run python -m ddl_lint.pages.docs"


def test_the_addresses_are_those_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\n[project.urls]\nRepository = "https://forge.test/org/lint/"\n'
    )
    found = addresses(tmp_path)
    assert found == Addresses("https://forge.test/org/lint") and found.slug == "org/lint"
    assert addresses(ROOT) == Addresses() or addresses(ROOT).repository.startswith("https://")


def test_with_an_address_all_parts_name_it() -> None:
    parts = installation_parts(Addresses("https://forge.test/org/lint"), "1.2.0.dev3")
    (hook,) = block(parts["hook"])["repos"]  # type: ignore[index]
    assert hook["repo"] == "https://forge.test/org/lint" and hook["rev"] == "v1.2.0"
    steps = block(parts["action"])["steps"]  # type: ignore[index]
    assert steps[1]["uses"] == "org/lint@v1.2.0" and "with" not in steps[0]
    (include,) = block(parts["gitlab"])["include"]  # type: ignore[index]
    assert include == {"remote": "https://forge.test/org/lint/raw/v1.2.0/ci/ddl-lint.gitlab-ci.yml"}


def test_without_an_address_all_parts_work_from_a_checkout() -> None:
    parts = installation_parts(Addresses(), "1.2.0")
    (hook,) = block(parts["hook"])["repos"]  # type: ignore[index]
    ours = {each["id"]: each for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    (local,) = hook["hooks"]
    assert hook["repo"] == "local" and local["entry"] == ours["ddl-lint"]["entry"]
    assert {key: local[key] for key in ("types", "require_serial")} == {
        key: ours["ddl-lint"][key] for key in ("types", "require_serial")
    }
    steps = block(parts["action"])["steps"]  # type: ignore[index]
    known = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert steps[0]["with"] == {"submodules": True} and set(steps[1]["with"]) <= set(known)
    assert block(parts["gitlab"])["include"] == [{"local": "ci/ddl-lint.gitlab-ci.yml"}]  # type: ignore[index]
