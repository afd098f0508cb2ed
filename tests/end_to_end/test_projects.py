"""Settings, several files, stdin, notebooks, and columns, as a user meets them."""

from __future__ import annotations

import pytest

FAULTY = "import torch.distributed as dist\n\nprint(dist.get_rank())\n"
SETUP = "import torch.distributed as dist\n\ndef setup():\n    dist.init_process_group('nccl')\n"
USES_SETUP = "import torch.distributed as dist\nfrom common.setup import setup\n\nsetup()\nprint(dist.get_rank())\n"


def test_per_file_ignores(project, check):
    project(
        {
            "ddl-lint.toml": "[per-file-ignores]\n'tests' = ['ALL']\n'tools/*.py' = ['missing-init-process-group']\n",
            "a.py": FAULTY,
            "tests/a.py": FAULTY,
            "tools/a.py": FAULTY,
        }
    )
    assert check().found == [("a.py", "DDL201")]
    assert check("--isolated").found == [("a.py", "DDL201"), ("tests/a.py", "DDL201"), ("tools/a.py", "DDL201")]


def test_own_wrappers_are_described_in_the_configuration(project, check):
    script = "import torch.distributed as dist\nfrom mylib import setup\n\nsetup()\nprint(dist.get_rank())\n"
    model = "functions:\n  mylib.setup: {same_as: torch.distributed.init_process_group}\n"
    project({"train.py": script})
    assert check("--select", "missing-init-process-group").found == [], "a helper that cannot be seen may do it"
    early = script.replace("setup()\n", "").replace("print(dist.get_rank())", "print(dist.get_rank())\nsetup()")
    plain = script.replace("setup()\n", "")
    project({"train.py": plain})
    assert check().found == [("train.py", "DDL201")]
    project({"lint/own.yaml": model, "pyproject.toml": "[tool.ddl-lint]\nmodels = ['lint/own.yaml']\n"})
    project({"train.py": script})
    assert check("--config", "pyproject.toml").found == []
    project({"train.py": early})
    assert check("--config", "pyproject.toml").found == [("train.py", "DDL201")]


@pytest.mark.parametrize("helper", ["somewhere", "common/setup", "src/common/setup"])
def test_one_file_is_checked_with_its_project_around_it(project, check, helper):
    script = USES_SETUP.replace("common.setup", helper.removeprefix("src/").replace("/", "."))
    project({f"{helper}.py": SETUP, "scripts/train.py": script, "train.py": script, "pyproject.toml": ""})
    assert check("train.py").found == []
    project({f"{helper}.py": "def setup():\n    pass\n"})
    assert check("train.py").found == [("train.py", "DDL201")]


def test_only_what_was_asked_for_is_reported(project, check):
    project({"common/setup.py": "def setup():\n    pass\n", "train.py": USES_SETUP, "other.py": FAULTY})
    assert check("train.py").found == [("train.py", "DDL201")]
    assert check("common").found == []


def test_stdin(project, check):
    project({"common/setup.py": SETUP, "train.py": FAULTY})
    result = check("--stdin-filename", "train.py", stdin=USES_SETUP.encode())
    assert (result.code, result.found) == (0, [])
    result = check("--stdin-filename", "sub/new.py", stdin=FAULTY.encode())
    assert (result.code, result.found) == (1, [("sub/new.py", "DDL201")])
    assert check("-", stdin=FAULTY.encode()).found == [("stdin.py", "DDL201")]


def test_stdin_follows_the_configuration_of_its_name(project, check):
    project({"ddl-lint.toml": "[per-file-ignores]\n'quiet.py' = ['DDL2']\n"})
    assert check("--stdin-filename", "quiet.py", stdin=FAULTY.encode()).found == []


@pytest.mark.parametrize(
    ("content", "column"),
    [
        (b"\xef\xbb\xbfimport torch.distributed as dist\r\ns = '\xc3\xa4'; print(dist.get_rank())\r\n", 16),
        (b"# coding: latin-1\nimport torch.distributed as dist\ns = '\xe4'; print(dist.get_rank())\n", 16),
    ],
)
def test_stdin_is_decoded_as_a_file_is(project, check, content, column):
    project({"a.py": content})
    assert check("a.py").diagnostics == check("--stdin-filename", "a.py", stdin=content).diagnostics
    assert check("a.py").diagnostics[0]["range"]["start"]["column"] == column


def test_stdin_that_cannot_be_decoded(project, check):
    project({})
    result = check("--stdin-filename", "a.py", stdin=b"x = '\xff'\n")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: stdin is not valid UTF-8: cannot decode byte 0xff at offset 5")


@pytest.mark.parametrize(
    ("content", "line", "columns"),
    [
        (b"import torch.distributed as dist\r\n\r\nprint(dist.get_rank())\r\n", 3, (7, 22)),
        (b"import torch.distributed as dist\r\rprint(dist.get_rank())\r", 3, (7, 22)),
        (b"\xef\xbb\xbfimport torch.distributed as dist; print(dist.get_rank())\n", 1, (41, 56)),
        (b"import torch.distributed as dist\nfor x in y:\n\tprint(dist.get_rank())\n", 3, (8, 23)),
        (b"import torch.distributed as dist\n\x0cprint(dist.get_rank())\n", 2, (8, 23)),
        ("import torch.distributed as dist\nprint('日本', '😀', dist.get_rank())\n".encode(), 2, (18, 33)),
        (b"import torch.distributed as dist\nprint(dist.get_rank())", 2, (7, 22)),
    ],
    ids=["crlf", "cr", "mark", "tab", "form feed", "wide", "no last line end"],
)
def test_columns_count_code_points(project, check, content, line, columns):
    project({"a.py": content})
    (finding,) = check().diagnostics
    assert finding["range"] == {
        "start": {"line": line, "column": columns[0]},
        "end": {"line": line, "column": columns[1]},
    }


def test_text_shows_the_very_code_under_its_mark(project, run):
    project({"a.py": "import torch.distributed as dist\r\nfor x in y:\r\n\tprint('日本', dist.get_rank())\r\n"})
    lines = run("check", "--quiet").out.splitlines()
    assert lines[0].startswith("a.py:3:14: error DDL201 missing-init-process-group: ")
    assert lines[1:5] == [
        "  |",
        "2 | for x in y:",
        "3 |     print('日本', dist.get_rank())",
        "  |                   ^^^^^^^^^^^^^^^",
    ]


def test_notebooks(project, run, check, notebook):
    book = notebook(
        ("markdown", "# dist.get_rank()"),
        "%matplotlib inline\n!pip install torch\nimport torch.distributed as dist",
        ("raw", "nothing"),
        "%%time\nx = 1\n\nprint(x, dist.get_rank())",
        "%%bash\necho dist.get_rank()",
    )
    project({"book.ipynb": book, "fine.ipynb": notebook("import torch\nimport torch.distributed as dist")})
    (finding,) = check().diagnostics
    assert (finding["file"], finding["cell"], finding["code"]) == ("book.ipynb", 4, "DDL201")
    assert finding["range"]["start"] == {"line": 4, "column": 10}
    out = run("check", "book.ipynb").out
    assert out.startswith("book.ipynb:cell 4:4:10: error DDL201 ")
    assert "4 | print(x, dist.get_rank())\n" in out
    assert run("check", "--output-format", "concise").out.startswith("book.ipynb:cell 4:4:10: error DDL201 ")


def test_comments_in_notebooks(project, check, notebook):
    text = "print(dist.get_rank())  # ddl-lint: ignore[DDL201]\nx = 1  # ddl-lint: ignore[DDL201]"
    project({"book.ipynb": notebook("import torch.distributed as dist", text)})
    (finding,) = check().diagnostics
    assert (finding["code"], finding["cell"], finding["range"]["start"]["line"]) == ("DDL004", 2, 2)


def test_a_broken_cell_costs_only_itself(project, check, notebook):
    project({"book.ipynb": notebook("import torch.distributed as dist", "for x in (1:\n", "print(dist.get_rank())")})
    assert [(item["code"], item["cell"]) for item in check().diagnostics] == [("DDL001", 2), ("DDL201", 3)]


def test_notebooks_from_stdin(project, check, notebook):
    project({})
    book = notebook("import torch.distributed as dist", "print(dist.get_rank())")
    (finding,) = check("--stdin-filename", "book.ipynb", stdin=book.encode()).diagnostics
    assert (finding["code"], finding["cell"]) == ("DDL201", 2)


def test_a_script_that_names_no_framework_itself_is_followed_from_any_folder(project, check):
    helper = "import torch.distributed as dist\n\ndef go():\n    print(dist.get_rank())\n"
    script = "from core.work import go\n\nif __name__ == '__main__':\n    go()\n"
    project({"deep/app/core/work.py": helper, "deep/app/train.py": script, "other.py": "x = 1\n"})
    (finding,) = check().diagnostics
    assert (finding["file"], finding["code"]) == ("deep/app/core/work.py", "DDL201")
    assert [evidence["file"] for evidence in finding["related"]] == ["deep/app/train.py"]
