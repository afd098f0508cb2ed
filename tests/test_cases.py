"""Cases of a Markdown file: what is shared, where each line is written, what is said of a file that makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import CaseError, Program, cases_in, name_of, program_at, programs_in

_SHARED = """\
# missing-barrier

```python
import torch.distributed as dist

...

main()
```

## Flagged

What stands here is for people.

### With a `main`

```python
def main():
    dist.init_process_group("gloo")
    ...
```

#### A barrier in both arms

```python
if rank == 0:
    dist.barrier()

else:
    dist.barrier()
```

#### The rank of `new_group`

```python
...
```

### Two files

```python
from common.ranks import main
```

`common/ranks.py`:

```python
def main(): ...
```

`run.sh`:

```sh
torchrun train.py
```

## Silent

### A barrier in both arms

```python
main = print
```
"""


def _file(folder: Path, text: str) -> Path:
    path = folder / "missing_barrier.md"
    path.write_text(text, encoding="utf-8")
    return path


def _case(folder: Path, text: str, kind: str, name: str) -> Program:
    return next(case for case in cases_in(_file(folder, text)) if case.sections[1] == kind and case.name == name)


def test_names(tmp_path: Path) -> None:
    assert [(case.sections[1:], case.name) for case in cases_in(_file(tmp_path, _SHARED))] == [
        (("flagged", "with_a_main"), "barrier_in_both_arms"),
        (("flagged", "with_a_main"), "rank_of_new_group"),
        (("flagged",), "two_files"),
        (("silent",), "barrier_in_both_arms"),
    ]
    assert name_of("`set_epoch`, but too late: DDP's own") == "set_epoch_but_too_late_ddp_s_own"
    assert name_of("Another reduction") == "another_reduction"


def test_shared_code_stands_around_the_program(tmp_path: Path) -> None:
    case = _case(tmp_path, _SHARED, "flagged", "barrier_in_both_arms")
    assert case.texts() == {
        "barrier_in_both_arms.py": """\
import torch.distributed as dist

def main():
    dist.init_process_group("gloo")
    if rank == 0:
        dist.barrier()

    else:
        dist.barrier()

main()
"""
    }


def test_each_line_is_where_it_is_written(tmp_path: Path) -> None:
    case = _case(tmp_path, _SHARED, "flagged", "barrier_in_both_arms")
    text = _SHARED.splitlines()
    for line in case.files["barrier_in_both_arms.py"]:
        assert line.source == "missing_barrier.md"
        assert line.text.strip() == text[line.number - 1].strip()


def test_shared_code_without_a_place_comes_first(tmp_path: Path) -> None:
    shared = (
        "# One\n\n```python\nmain()\n```\n\n## Around\n\n```python\nimport os\n...\nos.abort()\n```\n\n### Inner\n\n"
    )
    case = cases_in(_file(tmp_path, f"{shared}```python\nimport sys\n```\n\n#### Case\n\n```python\nprint()\n```\n"))[0]
    assert case.texts() == {"case.py": "main()\nimport os\nimport sys\nprint()\nos.abort()\n"}


def test_a_program_of_several_files(tmp_path: Path) -> None:
    case = _case(tmp_path, _SHARED, "flagged", "two_files")
    assert case.texts() == {
        "two_files.py": "import torch.distributed as dist\n\nfrom common.ranks import main\n\nmain()\n",
        "common/ranks.py": "def main(): ...\n",
        "run.sh": "torchrun train.py\n",
    }
    assert case.write(tmp_path / "written") == [
        tmp_path / "written" / "common" / "ranks.py",
        tmp_path / "written" / "run.sh",
        tmp_path / "written" / "two_files.py",
    ]
    assert (tmp_path / "written" / "run.sh").read_text(encoding="utf-8") == "torchrun train.py\n"


def test_shared_code_of_a_named_file(tmp_path: Path) -> None:
    text = "# One\n\n`a.py`:\n\n```python\nimport os\n```\n\n## Case\n\n`a.py`:\n```python\nos.abort()\n```\n"
    assert cases_in(_file(tmp_path, text))[0].texts() == {"a.py": "import os\nos.abort()\n"}


def test_dots_of_a_case_are_its_own(tmp_path: Path) -> None:
    text = "# One\n\n## Case\n\n```python\ndef f():\n    ...\n```\n"
    assert cases_in(_file(tmp_path, text))[0].texts() == {"case.py": "def f():\n    ...\n"}


def test_files_and_folders_are_programs_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "package" / "inner").mkdir(parents=True)
    (tmp_path / "package" / "inner" / "a.py").write_bytes(b"a = 1\r\nb = 2")
    (tmp_path / "package" / "b.json").write_bytes(b"{}\n")
    (tmp_path / "c.py").write_bytes(b"c = 3\n")
    assert program_at(tmp_path / "package").texts() == {"b.json": "{}\n", "inner/a.py": "a = 1\r\nb = 2"}
    assert next(programs_in(tmp_path)).texts() == {"c.py": "c = 3\n"}
    assert [program.name for program in programs_in(tmp_path)] == ["c", "package"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "there is no case"),
        ("```python\npass\n```\n", 1, "before the first heading"),
        ("## One\n", 1, "too many `#`"),
        ("# One\n\n### Two\n", 3, "too many `#`"),
        ("# One\n\n## Two\n", 3, "has no program"),
        ("# One\n\n```python\npass\n", 3, "has no end"),
        ("# One\n\n```python\n```\n", 3, "is empty"),
        ("# One\n\n```\npass\n```\n", 3, "begins with ```python"),
        ("# One\n\n```json\n{}\n```\n", 3, "begins with ```python"),
        ("# One\n\n```python\npass\n```\n\n```python\npass\n```\n", 7, "a block for the script"),
        ("# One\n\n`a.py`:\n\nwords\n", 5, "after the name of a file comes its block"),
        ("# One\n\n`a.py`:\n\n## Two\n", 5, "after the name of a file comes its block"),
        ("# One\n\n`a.py`:\n", 3, "after the name of a file comes its block"),
        ("# One\n\n```python\n...\n...\n```\n\n## Two\n\n```python\npass\n```\n", 5, "says `...` twice"),
        ("# One\n\n```python\nimport os\n```\n\n## Two\n\n`a.py`:\n```python\npass\n```\n", 7, "nothing to go where"),
        (
            "# One\n\n## Two\n\n```python\npass\n```\n\n## A two\n\n```python\npass\n```\n",
            9,
            "the name 'two' in line 3",
        ),
    ],
)
def test_what_makes_no_sense(text: str, line: int, said: str, tmp_path: Path) -> None:
    with pytest.raises(CaseError) as error:
        cases_in(_file(tmp_path, text))
    assert str(error.value).startswith(f"{tmp_path / 'missing_barrier.md'}:{line}: ")
    assert said in str(error.value)
