"""What `make release` makes of the files that were built: entries, recipes, provenance and hashes."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tarfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from ddl_lint.pages.installation import Addresses

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "release"))

import assemble as assembling  # noqa: E402

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PUBLISHED = Addresses("https://forge.test/org/ddl-lint", "https://docs.test/ddl-lint")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "rules").mkdir(parents=True)
    (folder / "index.html").write_text("<p>one</p>")
    (folder / "rules" / "a.html").write_text("<p>two</p>")
    return folder


def made(tmp_path: Path, site: Path, published: Addresses) -> tuple[Path, str]:
    folder = tmp_path / "dist"
    folder.mkdir(exist_ok=True)
    (folder / "ddl_lint-1.2.3.tar.gz").write_bytes(b"source")
    (folder / "ddl_lint-1.2.3-py3-none-any.whl").write_bytes(b"wheel")
    said = assembling.assemble(assembling.Release(folder, "1.2.3", "c" * 40, published), site)
    return folder, "\n".join(said)


def test_every_file_has_its_hash_and_is_a_subject_of_the_statement(tmp_path: Path, site: Path):
    folder, said = made(tmp_path, site, PUBLISHED)
    sums = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    assert set(sums) == files - {"SHA256SUMS"}
    for name, value in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == value
    statement = json.loads((folder / "provenance.intoto.json").read_text())
    assert {each["name"] for each in statement["subject"]} == files - {"SHA256SUMS", "provenance.intoto.json"}
    (source,) = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert source == {"uri": "git+https://forge.test/org/ddl-lint", "digest": {"gitCommit": "c" * 40}}
    assert "left out" not in said


def test_without_addresses_what_needs_one_is_left_out_and_said(tmp_path: Path, site: Path):
    folder, said = made(tmp_path, site, Addresses())
    assert not any((folder / name).exists() for name in ("schemastore", "pre-commit-mirror", "homebrew", "conda-forge"))
    assert said.count("left out") == 2
    assert "forge" not in (folder / "provenance.intoto.json").read_text()


def test_the_readme_names_what_is_there_and_nothing_else(tmp_path: Path, site: Path):
    folder, _ = made(tmp_path, site, Addresses())
    bare = (folder / "README.md").read_text().splitlines()
    assert bare[0] == "# ddl-lint 1.2.3, commit cccccccccccc" and "sha256sum -c SHA256SUMS" in bare[2]
    named = {name for line in bare[4:] for name in re.findall(r"`([^`]+)`", line.partition(": ")[0])}
    assert named == {"*.whl", "*.tar.gz", "site.tgz", "provenance.intoto.json"}
    (folder / "ddl-lint-linux-x64-1.2.3.vsix").write_bytes(b"extension")
    made(tmp_path, site, PUBLISHED)
    full = (folder / "README.md").read_text()
    assert all(name in full for name in ("*.vsix", "homebrew/", "conda-forge/", "pre-commit-mirror/", "schemastore/"))
    assert "README.md" in (folder / "SHA256SUMS").read_text()


def test_recipes_name_the_sdist_its_hash_and_what_it_needs(tmp_path: Path, site: Path):
    folder, _ = made(tmp_path, site, PUBLISHED)
    address = "https://forge.test/org/ddl-lint/releases/download/v1.2.3/ddl_lint-1.2.3.tar.gz"
    value = hashlib.sha256(b"source").hexdigest()
    formula = (folder / "homebrew" / "ddl-lint.rb").read_text()
    assert f'url "{address}"' in formula and f'sha256 "{value}"' in formula
    recipe = (folder / "conda-forge" / "meta.yaml").read_text()
    assert not re.search(r"@\w+@", formula + recipe)
    data = yaml.safe_load(recipe.replace("{{ PYTHON }}", "PYTHON"))
    assert data["source"] == {"url": address, "sha256": value} and data["package"]["version"] == "1.2.3"
    needed = {Requirement(text) for text in PROJECT["dependencies"]}
    run = {text.split(" ")[0]: text.partition(" ")[2] for text in data["requirements"]["run"]}
    assert run["python"] == PROJECT["requires-python"]
    for each in needed:
        name = "py-tree-sitter" if each.name == "tree-sitter" else each.name
        assert run[name] == str(each.specifier), name


def test_the_entry_of_schemastore_and_the_mirror(tmp_path: Path, site: Path):
    folder, _ = made(tmp_path, site, PUBLISHED)
    entry = json.loads((folder / "schemastore" / "catalog-entry.json").read_text())
    assert entry["url"] == "https://docs.test/ddl-lint/ddl-lint.schema.json"
    assert set(entry["fileMatch"]) == {"ddl-lint.toml", ".ddl-lint.toml"}
    mirror = folder / "pre-commit-mirror"
    ours = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert yaml.safe_load((mirror / ".pre-commit-hooks.yaml").read_text()) == ours
    assert tomllib.loads((mirror / "pyproject.toml").read_text())["project"]["dependencies"] == ["ddl-lint==1.2.3"]


def test_the_archive_of_the_site_is_the_same_each_time(tmp_path: Path, site: Path):
    folder, _ = made(tmp_path, site, Addresses())
    first = (folder / "site.tgz").read_bytes()
    made(tmp_path, site, Addresses())
    assert (folder / "site.tgz").read_bytes() == first
    with tarfile.open(folder / "site.tgz") as content:
        assert content.getnames() == ["site/index.html", "site/rules/a.html"]


def test_what_only_an_owner_can_do_is_ten_lines():
    page = (ROOT / "docs" / "release.md").read_text(encoding="utf-8")
    part = page.partition("## What only an owner of accounts can do\n")[2]
    assert re.findall(r"^(\d+)\. ", part, re.MULTILINE) == [str(number) for number in range(1, 11)]
    named = re.findall(r"^\| `([^`]+)`", page, re.MULTILINE)
    assert {"site.tgz", "sbom.cdx.json", "provenance.intoto.json", "SHA256SUMS"} <= set(named)


def test_the_manifest_of_the_extension_names_the_addresses_while_it_is_packed(tmp_path: Path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "vscode-extension" / "scripts"))
    import package

    manifest, project = tmp_path / "package.json", tmp_path / "pyproject.toml"
    manifest.write_text('{"name": "ddl-lint"}')
    project.write_text('[project]\nname = "x"\n')
    with package.published_manifest(manifest, project) as is_published:
        assert not is_published and manifest.read_text() == '{"name": "ddl-lint"}'
    project.write_text('[project]\nname = "x"\n\n[project.urls]\nRepository = "https://forge.test/org/x/"\n\n[tool]\n')
    with package.published_manifest(manifest, project) as is_published:
        told = json.loads(manifest.read_text())
        assert is_published and told["repository"]["url"] == "https://forge.test/org/x.git"
        assert told["homepage"] == "https://forge.test/org/x"
    assert manifest.read_text() == '{"name": "ddl-lint"}'
    assert package.release(Path("ddl_lint-1.2.0.dev7-py3-none-any.whl")) == "1.2.0"
