"""Which settings apply to a file, and what is said about mistakes in them."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from ddl_lint.finding import Severity
from ddl_lint.project import config
from ddl_lint.project.config import ConfigError, Settings, config_schema, load, resolve, search
from ddl_lint.project.config_layers import OF_FILES
from ddl_lint.project.globs import compiled


@pytest.fixture(autouse=True)
def fresh():
    config.forget()


def write(folder: Path, text: str, name: str = "ddl-lint.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_everything_that_can_be_said(tmp_path):
    write(tmp_path, "calls: {}\n", "wrappers.yaml")
    file = write(
        tmp_path,
        """
        select = ["DDL2"]
        ignore = ["lost-rank"]
        extend-select = ["DDL301"]
        exclude = ["gen"]
        extend-exclude = ["old/*.py"]
        pedantic = true
        preview = true
        fail-on = "error"
        target = {torch = "2.4"}
        models = ["wrappers.yaml"]
        [per-file-ignores]
        "tests" = ["ALL"]
        [severity]
        lost-rank = "info"
        """,
    )
    assert resolve(tmp_path / "train.py") == Settings(
        select=("DDL2",),
        ignore=("lost-rank",),
        extend_select=("DDL301",),
        per_file_ignores={"tests": ("ALL",)},
        exclude=("gen",),
        extend_exclude=("old/*.py",),
        pedantic=True,
        preview=True,
        fail_on=("error",),
        target={"torch": "2.4"},
        models=((tmp_path / "wrappers.yaml").resolve(),),
        severity={"lost-rank": Severity.INFO},
        root=tmp_path,
        source=file,
        sources=(file,),
    )


def test_the_schema_and_the_settings_agree():
    properties = config_schema()["properties"]
    fields = {field.name: field for field in dataclasses.fields(Settings)}
    of_files = OF_FILES - {"root"}
    assert {name.replace("-", "_") for name in properties.keys() - of_files} == fields.keys() - {
        "source",
        "sources",
        "said",
    }
    defaults = Settings()
    for name, described in properties.items():
        if "default" in described and name not in OF_FILES:
            value = getattr(defaults, name.replace("-", "_"))
            assert (list(value) if isinstance(value, tuple) else value) == described["default"], name


def test_the_schema_is_a_schema():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(config_schema())


def test_target_as_a_list(tmp_path):
    write(tmp_path, "target = ['torch==2.4', 'DeepSpeed==0.14.1']")
    assert resolve(tmp_path).target == {"torch": "2.4", "deepspeed": "0.14.1"}


def test_the_nearest_file_has_the_last_word(tmp_path):
    write(tmp_path, "pedantic = true\npreview = true\nignore = ['DDL4', 'DDL201']\n[severity]\nhang = 'info'\n")
    write(tmp_path / "a", "preview = false\nignore = ['DDL3']\nextend-select = ['DDL201']\nseverity.crash = 'error'\n")
    inner = resolve(tmp_path / "a" / "b" / "train.py")
    assert (inner.preview, inner.pedantic, inner.ignore) == (False, True, ("DDL4", "DDL3"))
    assert inner.severity == {"hang": Severity.INFO, "crash": Severity.ERROR}
    assert inner.sources == (tmp_path / "a" / "ddl-lint.toml", tmp_path / "ddl-lint.toml")
    assert [(each.used, each.reason) for each in search(tmp_path / "a" / "b")] == [
        (True, "the nearest configuration file"),
        (True, "further up in the project"),
    ]


def test_a_root_has_nothing_above_it(tmp_path):
    write(tmp_path, "pedantic = true")
    write(tmp_path / "a", "root = true\npreview = true")
    inner = resolve(tmp_path / "a" / "train.py")
    assert (inner.preview, inner.pedantic) == (True, False)


def test_a_repository_ends_the_way_up(tmp_path):
    write(tmp_path, "pedantic = true")
    write(tmp_path / "a", "preview = true")
    (tmp_path / "a" / ".git").mkdir()
    assert not resolve(tmp_path / "a" / "train.py").pedantic


def test_globs_of_an_inner_file_mean_what_is_below_it(tmp_path):
    write(tmp_path, "pedantic = true")
    write(
        tmp_path / "a",
        "extend-exclude = ['gen', '/top.py', 'x/*.py']\n[per-file-ignores]\n'!src' = ['DDL4']\n",
    )
    inner = resolve(tmp_path / "a" / "train.py")
    assert inner.extend_exclude == ("/a/**/gen", "/a/top.py", "/a/x/*.py")
    assert inner.per_file_ignores == {"!/a/**/src": ("DDL4",)}
    excluded = compiled(inner.extend_exclude)
    names = ["a/gen/x.py", "a/b/gen/x.py", "gen/x.py", "a/top.py", "a/b/top.py", "a/x/y.py"]
    assert [excluded.match_file(name) for name in names] == [True, True, False, True, False, True]


def test_settings_for_the_files_of_a_glob(tmp_path):
    write(
        tmp_path,
        "ignore = ['DDL5']\n[severity]\nhang = 'error'\n[per-file-settings.legacy]\npedantic = true\n"
        "ignore = ['DDL4']\nseverity = {ALL = 'info'}\n",
    )
    legacy, other = resolve(tmp_path / "legacy" / "train.py"), resolve(tmp_path / "train.py")
    assert (legacy.pedantic, legacy.ignore) == (True, ("DDL5", "DDL4"))
    assert legacy.severity == {"hang": Severity.ERROR, "ALL": Severity.INFO}
    assert (other.pedantic, other.ignore) == (False, ("DDL5",))


def test_a_file_extends_others(tmp_path):
    write(tmp_path / "shared", "pedantic = true\nignore = ['DDL4']\nextend-exclude = ['gen']\n", "base.toml")
    write(tmp_path / "shared", "extends = 'base.toml'\nignore = ['DDL5']\n", "strict.toml")
    write(tmp_path / "a", "extends = ['../shared/strict.toml']\nroot = true\npedantic = false\n")
    write(tmp_path, "")
    found = resolve(tmp_path / "a" / "train.py")
    assert (found.pedantic, found.ignore, found.extend_exclude) == (False, ("DDL4", "DDL5"), ("gen",))
    assert found.root == tmp_path / "a"
    assert [each.reason for each in search(tmp_path / "a")][1:] == ["extended", "extended"]


def test_a_file_extends_data_of_an_installed_package(tmp_path, monkeypatch):
    write(tmp_path / "site" / "acme_config", "ignore = ['DDL4']\n", "ddl-lint.toml")
    write(tmp_path / "site" / "acme_config", "raise SystemExit('imported')\n", "__init__.py")
    write(tmp_path / "site" / "acme_config-1.0.dist-info", "Name: acme-config\nVersion: 1.0\n", "METADATA")
    write(tmp_path / "site" / "acme_config-1.0.dist-info", "acme_config/ddl-lint.toml,,\n", "RECORD")
    monkeypatch.syspath_prepend(tmp_path / "site")
    write(tmp_path / "a", "extends = 'acme-config:acme_config/ddl-lint.toml'\nignore = ['DDL5']\n")
    assert resolve(tmp_path / "a").ignore == ("DDL4", "DDL5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends = 'no.toml'", "there is no file `no.toml`"),
        ("extends = '../out.toml'", "`../out.toml` lies outside of the project"),
        ("extends = 'https://acme.example/a.toml'", "is an address: nothing is downloaded"),
        ("extends = 'no-such-package:a.toml'", "the package `no-such-package` is not installed beside ddl-lint"),
        ("extends = 'ddl-lint.toml'", "`ddl-lint.toml` extends this file"),
        ("required-version = '>=99'", "this project wants ddl-lint >=99, and this is "),
        ("required-version = 'new'", "`new` is no version"),
        ("[per-file-settings.a]\nexclude = ['b']", "unknown key `exclude`"),
    ],
)
def test_what_cannot_be_extended_or_required(tmp_path, text, message):
    write(tmp_path, "", "out.toml")
    write(tmp_path / "a", text)
    with pytest.raises(ConfigError, match=re.escape(message)):
        resolve(tmp_path / "a" / "train.py")


def test_the_version_that_is_wanted(tmp_path):
    write(tmp_path, "required-version = '>=0.0.1'")
    assert resolve(tmp_path) == dataclasses.replace(
        Settings(), root=tmp_path, source=tmp_path / "ddl-lint.toml", sources=(tmp_path / "ddl-lint.toml",)
    )


def test_the_order_in_one_folder(tmp_path):
    write(tmp_path, "[tool.ddl-lint]\nignore = ['c']", "pyproject.toml")
    assert resolve(tmp_path).ignore == ("c",)
    write(tmp_path, "ignore = ['b']", "ddl-lint.toml")
    write(tmp_path, "ignore = ['a']", ".ddl-lint.toml")
    config.forget()
    assert resolve(tmp_path).ignore == ("a",)


def test_a_pyproject_of_others_is_passed_over(tmp_path):
    write(tmp_path, "pedantic = true")
    write(tmp_path / "a", "[tool.ruff]\n", "pyproject.toml")
    write(tmp_path / "b", "this is = = not TOML", "pyproject.toml")
    assert resolve(tmp_path / "a").pedantic
    assert resolve(tmp_path / "b").pedantic


def test_settings_are_read_once_until_told_otherwise(tmp_path):
    write(tmp_path, "pedantic = true")
    assert resolve(tmp_path).pedantic
    write(tmp_path, "pedantic = false")
    assert resolve(tmp_path).pedantic
    config.forget()
    assert not resolve(tmp_path).pedantic


def test_search_tells_the_same_as_resolve(tmp_path):
    write(tmp_path, "pedantic = true")
    write(tmp_path / "a", "", "pyproject.toml")
    seen = list(search(tmp_path / "a" / "x.py"))
    assert [candidate.used for candidate in seen] == [False, True]
    assert seen[-1].file == resolve(tmp_path / "a" / "x.py").source


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\nselct = []", 2, "unknown key `selct` (did you mean `select`?)"),
        ("per_file_ignores = {}", 1, "unknown key `per_file_ignores` (did you mean `per-file-ignores`?)"),
        ("select = 'DDL2'", 1, "`select`: expected a list, found a string ('DDL2')"),
        ("select = [\n 1]", 1, "`select[0]`: expected a string, found a whole number (1)"),
        ("pedantic = 1", 1, "`pedantic`: expected true or false, found a whole number (1)"),
        ("fail-on = 'eror'", 1, "`fail-on`: unknown value `eror` (did you mean `error`?)"),
        ("fail-on = ['hang', 'eror']", 1, "`fail-on[1]`: unknown value `eror` (did you mean `error`?)"),
        ("[severity]\n\nx = 'bad'", 3, "`severity.x`: unknown value `bad`; expected one of `error`, `warning`, `info`"),
        (
            "[per-file-ignores]\n'tests/*' = 'ALL'",
            2,
            "`per-file-ignores.tests/*`: expected a list, found a string ('ALL')",
        ),
        ("target = 'torch'", 1, "`target`: expected a table or a list, found a string ('torch')"),
        (
            "target = ['torch']",
            1,
            "`target[0]`: `torch` is not allowed here: expected package==version, such as torch==2.4",
        ),
        ("target = {torch = 2.4}", 1, "`target.torch`: expected a string, found a number (2.4)"),
        ("models = ['no.yaml']", 1, "`models[0]`: there is no file `no.yaml` in the folder of the configuration file"),
        ("models = ['../x.yaml']", 1, "`models[0]`: `../x.yaml` lies outside the folder of the configuration file"),
        ("exclude = ['!']", 1, "`exclude[0]`: `!` is not a glob"),
        ("x = [", 1, "is not valid TOML: Invalid value"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path, text, line, message):
    file = write(tmp_path / "project", text)
    write(tmp_path, "", "x.yaml")
    with pytest.raises(ConfigError) as caught:
        resolve(tmp_path / "project")
    assert str(caught.value) == f"{file}:{line}: {message}"
    assert caught.value.file == file


def test_a_mistake_in_pyproject_is_looked_for_in_our_table(tmp_path):
    write(tmp_path, "[tool.other]\nselect = 1\n\n[tool.ddl-lint]\nselect = 1\n", "pyproject.toml")
    with pytest.raises(ConfigError) as caught:
        resolve(tmp_path)
    assert caught.value.line == 5
    assert caught.value.key == "select"


def test_models_may_not_leave_the_folder_through_a_link(tmp_path):
    write(tmp_path, "", "x.yaml")
    project = tmp_path / "project"
    write(project, "models = ['link.yaml']")
    try:
        (project / "link.yaml").symlink_to(tmp_path / "x.yaml")
    except OSError:
        pytest.skip("no symbolic links here")
    with pytest.raises(ConfigError, match="outside the folder"):
        resolve(project)


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "none.toml")
    (tmp_path / "ddl-lint.toml").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="is not valid UTF-8"):
        resolve(tmp_path)


def test_a_given_pyproject_needs_our_table(tmp_path):
    file = write(tmp_path, "[tool.ruff]\n", "pyproject.toml")
    with pytest.raises(ConfigError, match=r"has no table \[tool.ddl-lint\]"):
        load(file)
