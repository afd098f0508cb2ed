"""Whatever is given to `ddl-lint check`: a clear word, the right exit code, and all other files are checked."""

from __future__ import annotations

import os

import pytest

pytestmark = pytest.mark.slow

FAULTY = "import torch.distributed as dist\n\nprint(dist.get_rank())\n"
GOOD = ("ok.py", "DDL201")
NOT_ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may read everything, whatever the permissions"
)


def test_a_missing_path(project, check):
    project({"ok.py": FAULTY})
    result = check("nowhere", "ok.py", "no/such/file.py")
    assert result.code == 2
    assert result.err.splitlines() == [
        "error: nowhere: no such file or folder",
        "error: no/such/file.py: no such file or folder",
    ]
    assert result.found == [GOOD]


def test_a_path_that_is_too_long(project, check):
    project({"ok.py": FAULTY})
    result = check("x" * 5000, "ok.py")
    assert result.code == 2
    assert result.err.startswith("error: xxx")
    assert result.found == [GOOD]


def test_a_folder_without_python(project, check):
    project({"notes/readme.md": "# Nothing\n"})
    result = check("notes")
    assert (result.code, result.found) == (0, [])
    assert result.err == "warning: there are no Python files, notebooks or launch files to check\n"


def test_an_empty_file(project, check):
    project({"empty.py": "", "blank.py": "\n\n", "ok.py": FAULTY})
    result = check()
    assert (result.code, result.found, result.err) == (1, [GOOD], "")


@NOT_ROOT
def test_no_permission(project, check):
    folder = project({"ok.py": FAULTY, "closed.py": FAULTY, "private/a.py": FAULTY, "listed/a.py": FAULTY})
    (folder / "closed.py").chmod(0)
    (folder / "private").chmod(0)
    (folder / "listed").chmod(0o600)
    try:
        result = check()
        given = check("private/a.py", "closed.py")
    finally:
        (folder / "private").chmod(0o700)
        (folder / "listed").chmod(0o700)
    assert result.code == 2
    assert "private: cannot be looked into: Permission denied" in result.err
    assert result.found == [("closed.py", "DDL003"), ("listed/a.py", "DDL003"), GOOD]
    assert given.err == "error: private/a.py: cannot be reached: Permission denied\n"
    assert given.found == [("closed.py", "DDL003")]


def test_a_file_that_cannot_be_read(project, check, monkeypatch):
    project({"ok.py": FAULTY, "closed.py": FAULTY})
    really = os.open

    def open_(path, *arguments, **named):
        if os.fspath(path).endswith("closed.py"):
            raise PermissionError(13, "Permission denied")
        return really(path, *arguments, **named)

    monkeypatch.setattr(os, "open", open_)
    result = check()
    assert result.code == 1
    assert result.found == [("closed.py", "DDL003"), GOOD]
    assert result.diagnostics[0]["message"] == "the file cannot be read: Permission denied"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files on this system")
def test_what_is_no_regular_file(project, check):
    folder = project({"ok.py": FAULTY})
    os.mkfifo(folder / "pipe.py")
    result = check("pipe.py", "ok.py")
    assert result.found == [GOOD, ("pipe.py", "DDL003")]
    assert result.diagnostics[1]["message"] == "the file is not a regular file"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"import torch\nx = '\xff\xfe'\n", "is not valid UTF-8: cannot decode byte 0xff at offset 18; "),
        (b"import torch\0\n", "holds a NUL byte at offset 12"),
        ("import torch\n".encode("utf-16"), "is written in UTF-16, which Python does not read"),
        (b"# coding: klingon\nimport torch\n", "names in its coding line an unknown encoding, 'klingon'"),
        (b"\xef\xbb\xbf# coding: latin-1\nimport torch\n", "begins with the byte order mark of UTF-8"),
        (b"# coding: ascii\nimport torch  # \xe4\n", "is not valid ASCII"),
        (os.urandom(2000) + b"\0import torch\n", ""),
    ],
)
def test_bytes_that_are_no_text(project, check, content, message):
    project({"ok.py": FAULTY, "odd.py": content})
    result = check()
    assert result.code == 1
    assert result.found == [("odd.py", "DDL003"), GOOD]
    assert message in result.diagnostics[0]["message"]
    assert "odd.py" not in result.diagnostics[0]["message"]


@pytest.mark.parametrize("name", ["huge.py", "huge.ipynb"])
def test_a_file_of_50_megabytes(project, check, name):
    folder = project({"ok.py": FAULTY})
    with (folder / name).open("wb") as file:
        file.write(b"import torch\n")
        file.truncate(50_000_000)
    result = check()
    assert result.found == [(name, "DDL003"), GOOD]
    assert result.diagnostics[0]["message"] == "the file is too large to be checked: 50.0 MB, and the limit is 10 MB"


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("x = " + "(" * 5000 + "1" + ")" * 5000, "DDL001"),
        ("x = " + "[" * 50_000, "DDL001"),
        ("".join(" " * depth + "if a:\n" for depth in range(200)) + " " * 200 + "b", "DDL001"),
        ("x = 1" + " + 1" * 5000, "DDL006"),
        ("x = a" + ".b()" * 5000, "DDL006"),
        ("x = " + "-" * 50_000 + "1", "DDL006"),
        ("x = " + "not " * 5000 + "1", "DDL006"),
        ("if a:\n    pass\n" + "elif b:\n    pass\n" * 3000, "DDL006"),
    ],
    ids=["brackets", "open brackets", "indents", "sum", "chain", "signs", "not", "elif"],
)
def test_recursion_deep_code(project, check, statement, code):
    project(
        {"deep.py": f"import torch.distributed as dist\n\n{statement}\n\nprint(dist.get_rank())\n", "ok.py": FAULTY}
    )
    result = check()
    assert result.code == 1
    assert sorted(result.found) == [("deep.py", code), ("deep.py", "DDL201"), GOOD]
    first = next(item for item in result.diagnostics if item["code"] == code)
    assert first["severity"] == ("error" if code == "DDL001" else "info")


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege there")
def test_symbolic_links_in_a_circle(project, check):
    folder = project({"ok.py": FAULTY, "inner/also.py": FAULTY})
    (folder / "inner" / "up").symlink_to("..")
    (folder / "self").symlink_to(".")
    (folder / "one.py").symlink_to("two.py")
    (folder / "two.py").symlink_to("one.py")
    (folder / "gone.py").symlink_to("nowhere.py")
    result = check()
    assert (result.code, result.err) == (1, "")
    assert result.found == [("inner/also.py", "DDL201"), GOOD]
    result = check("one.py", "gone.py", "ok.py")
    assert result.code == 2
    assert result.err.splitlines() == [
        "error: one.py: cannot be reached: Too many levels of symbolic links",
        "error: gone.py: is a symbolic link that leads nowhere",
    ]
    assert result.found == [GOOD]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not a notebook: it is empty"),
        ('{"cells": [\n', "is not a notebook: its JSON is broken, Expecting value; see line 2"),
        ("[]", "is not a notebook: its JSON is not an object"),
        ("[" * 100_000, "is not a notebook: its JSON is nested too deeply"),
        (b'{"cells": "\xff"}', "is not a notebook: not valid UTF-8"),
        ('{"nbformat": 3, "worksheets": []}', "it has format 3; save it as notebook format 4"),
        ('{"nbformat": 4, "cells": "none"}', "it has no cells of format 4"),
    ],
)
def test_a_broken_notebook(project, check, content, message):
    project({"broken.ipynb": content, "ok.py": FAULTY})
    result = check()
    assert result.code == 1
    assert result.found == [("broken.ipynb", "DDL003"), GOOD]
    assert message in result.diagnostics[0]["message"]


@pytest.mark.parametrize(
    "cells", [[], [None, 7, "text"], [{"cell_type": "code"}], [{"cell_type": "code", "source": [1, None]}]]
)
def test_odd_cells_are_passed_over(project, check, notebook, cells):
    project({"odd.ipynb": notebook(cells=cells), "ok.py": FAULTY})
    assert check().found == [GOOD]


@pytest.mark.parametrize("option", ["--select", "--ignore", "--extend-select"])
def test_an_unknown_rule(project, check, option):
    project({"ok.py": FAULTY})
    result = check(option, "missing-set-epok")
    assert result == (2, "", "error: unknown rule `missing-set-epok` (did you mean `missing-set-epoch`?)\n")


def test_a_bad_key_in_the_configuration(project, check):
    project({"ok.py": FAULTY, "sub/ddl-lint.toml": "pedantic = true\nignor = []\n", "sub/a.py": FAULTY})
    result = check()
    assert result.code == 2
    assert result.err.endswith("ddl-lint.toml:2: unknown key `ignor` (did you mean `ignore`?)\n")
    assert result.found == [GOOD]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select = 'ALL'\n", ":1: `select`: "),
        ("select = [\n", "is not valid TOML"),
        ("[per-file-ignores]\n'a.py' = ['DDL999']\n", ":2: `per-file-ignores.a.py`: unknown rule `DDL999`"),
        ("models = ['gone.yaml']\n", ":1: `models[0]`: there is no file `gone.yaml`"),
        ("models = ['../outside.yaml']\n", ":1: `models[0]`: `../outside.yaml` lies outside the folder"),
        (b"select = ['\xff']\n", "is not valid UTF-8"),
    ],
)
def test_other_mistakes_in_the_configuration(project, check, text, message):
    project({"ok.py": FAULTY, "ddl-lint.toml": text})
    result = check()
    assert (result.code, result.found) == (2, [])
    assert message in result.err


def test_a_model_file_with_a_mistake(project, check):
    project({"ok.py": FAULTY, "ddl-lint.toml": "models = ['own.yaml']\n", "own.yaml": "functions:\n  a.b: {evnt: x}\n"})
    result = check()
    assert (result.code, result.found) == (2, [])
    assert "own.yaml:2: " in result.err


def test_broken_syntax_costs_only_itself(project, check):
    text = (
        "import torch.distributed as dist\n\ndef broken(:\n    pass\n\nprint(dist.get_rank())\n\n"
        "def also(x)\n    return x\n"
    )
    project({"torn.py": text, "ok.py": FAULTY})
    result = check()
    assert result.code == 1
    assert sorted(result.found) == [GOOD, ("torn.py", "DDL001"), ("torn.py", "DDL001"), ("torn.py", "DDL201")]
    places = [
        (item["code"], item["range"]["start"]["line"]) for item in result.diagnostics if item["file"] == "torn.py"
    ]
    assert places == [("DDL001", 3), ("DDL201", 6), ("DDL001", 8)]


def test_one_syntax_error_is_one_finding_however_often_the_file_is_imported(project, check):
    torn = "def train(loader):\n    for batch in loader\n        batch.step(\n            1\n    return loader\n"
    script = "import torch.distributed as dist\nimport torn\n\nprint(dist.get_rank())\n"
    project({"torn.py": torn, "a.py": script, "b.py": script})
    assert sorted(check().found) == [("a.py", "DDL201"), ("b.py", "DDL201"), ("torn.py", "DDL001")]


def test_files_with_one_module_name_are_all_checked(project, check, notebook):
    project(
        {
            "train.py": FAULTY,
            "train.ipynb": notebook(FAULTY),
            "train/__init__.py": "",
            "a.b.py": FAULTY,
            "a/b.py": FAULTY,
        }
    )
    assert {file for file, _ in check().found} == {"train.py", "train.ipynb", "a.b.py", "a/b.py"}
