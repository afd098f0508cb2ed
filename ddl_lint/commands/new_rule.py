"""`ddl-lint new-rule`: lays out the folder of a rule, in our repository or in a package of one's own."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ddl_lint import __version__
from ddl_lint.commands import rule_layout as layout
from ddl_lint.commands.console import write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.commands.output_file import check_place
from ddl_lint.registry.rule_file import rule_schema
from ddl_lint.registry.rules import ENTRY_POINTS
from ddl_lint.rulekit import API_VERSION
from ddl_lint.source import SourceError, read_text
from ddl_lint.source.toml_text import TomlError, read_toml

_DIGITS = {
    "build_and_import": 1,
    "communication_setup": 2,
    "data_and_model": 3,
    "training": 4,
    "hangs_and_performance": 5,
    "launch_and_config": 6,
}
"""The first digit of the codes of each stage."""

_OURS = "DDL"
"""The letters of the codes of the rules that come with ddl-lint."""


@dataclass(frozen=True)
class _Package:
    """Where the rule goes."""

    root: Path
    """The folder of the project."""

    folder: Path
    """The package with the rules."""

    letters: str
    """Of the codes of its rules."""

    is_new: bool

    @property
    def is_ours(self) -> bool:
        return self.letters == _OURS


def run(options: argparse.Namespace) -> int:
    """Lay it out, and tell what is to be done next. Raises `UserError` for what the user can put right."""
    name: str = options.name
    _check_name(name)
    known = [rule for rule in installed_rules().known if not rule.info.is_engine]
    package = _package(options.package.resolve())
    if name in {rule.name for rule in known}:
        raise UserError(f"there is a rule `{name}` already; `ddl-lint explain {name}` shows it")
    code = _free_code(package, options.stage, {rule.code for rule in known})
    files = _files(package, name, code, options.stage, has_fix=options.fix)
    for file in files:
        if file.exists():
            raise UserError(f"{file}: is there already; nothing was written")
        check_place(file)
    try:
        for file, text in files.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
    except OSError as error:
        raise UserError(f"{error.filename}: cannot be written: {error.strerror}") from None
    write(_told(package, name, code, options.stage, files))
    return CLEAN


def _check_name(name: str) -> None:
    if re.search(rule_schema()["$defs"]["slug"]["pattern"], name):
        return
    words = "-".join(re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()))
    better = words.lstrip("-0123456789")
    hint = f", such as `{better}`" if better else ""
    raise UserError(f"`{name}` is no name for a rule: it is lower-case words joined by hyphens{hint}")


# --- where ------------------------------------------------------------------------------------------------------------


def _package(root: Path) -> _Package:
    """The package of rules of a project; a new one where there is no project. Raises `UserError` if it has none."""
    file = root / "pyproject.toml"
    if not file.exists():
        name = re.sub(r"\W+", "_", root.name).strip("_").lower()
        if not name.isidentifier():
            raise UserError(f"{root}: a package cannot be called like this folder; choose another one with --package")
        # Below `src`, because what is in the working directory is not imported, and that is where its author is.
        return _Package(root, root / "src" / name, _letters(name), is_new=True)
    for name in _registered(file):
        for parent in (root / "src", root, root / "rules"):
            folder = parent.joinpath(*name.split("."))
            if folder.is_dir():
                codes = _codes_in(folder)
                return _Package(root, folder, codes[0][:-3] if codes else _letters(name), is_new=False)
    raise UserError(
        f"{file}: registers no package of rules that is here; add one, with an `__init__.py`:\n\n"
        f'  [project.entry-points."{ENTRY_POINTS}"]\n  our_rules = "our_rules"\n'
    )


def _registered(file: Path) -> list[str]:
    """The packages of rules that a `pyproject.toml` registers."""
    try:
        data: Mapping[str, Any] = read_toml(read_text(str(file)))
        return [str(name) for name in data["project"]["entry-points"][ENTRY_POINTS].values()]
    except SourceError as error:
        raise UserError(f"{file} {error.message}") from None
    except TomlError as error:
        raise UserError(f"{file} {error}") from None
    except (KeyError, TypeError, AttributeError):
        return []


def _letters(package: str) -> str:
    """The letters of the codes of a new package: of its first word, if that is long enough and not ours."""
    words = re.findall("[a-z]+", package)
    letters = next((word for word in words if 3 <= len(word) <= 8 and word.upper() != _OURS), "".join(words))
    return letters.upper()[:8].ljust(3, "X")


def _codes_in(folder: Path) -> list[str]:
    """The codes of the rules in a package, whether it is installed or not."""
    files = sorted(folder.glob("*/*/rule.yaml"))
    text = "\n".join(_text_of(file) for file in files)
    return re.findall(r"^code: *([A-Z]{3,8}[0-9]{3})\b", text, re.MULTILINE)


def _text_of(file: Path) -> str:
    try:
        return read_text(str(file))
    except SourceError:
        return ""


def _free_code(package: _Package, stage: str, known: set[str]) -> str:
    """The next code of a stage. Raises `UserError` where there is none left."""
    taken = known | set(_codes_in(package.folder))
    first = f"{package.letters}{_DIGITS[stage]}"
    numbers = [int(code[-2:]) for code in taken if code[:-2] == first]
    if (number := max(numbers, default=0) + 1) > 99:
        raise UserError(f"there is no code {first}xx left")
    return f"{first}{number:02}"


# --- what -------------------------------------------------------------------------------------------------------------


def _files(package: _Package, name: str, code: str, stage: str, *, has_fix: bool) -> dict[Path, str]:
    """The files of the rule, and of a new package."""
    rule_folder = name.replace("-", "_")
    folder = package.folder / stage / rule_folder
    words = {
        "name": name,
        "code": code,
        "stage": stage,
        "folder": rule_folder,
        "folder_path": folder.relative_to(package.root).as_posix(),
        "package": package.folder.name,
        "project": package.folder.name.replace("_", "-"),
        "since": __version__.partition(".dev")[0] if package.is_ours else "0.1.0",
        "version": str(API_VERSION),
        "rulekit": "" if package.is_ours else layout.RULEKIT,
        "fix": layout.FIX_CODE if has_fix else layout.FIX_NONE,
        "imports": _sorted(layout.CHECK_FIX_IMPORTS if has_fix else layout.CHECK_IMPORTS, package.folder.name),
        "given": "with_fix(finding, fix, run, event)" if has_fix else "finding",
    }
    tests = package.root / "tests"
    silent = (tests / "rules" if package.is_ours else tests) / rule_folder / "silent" / "after_the_loop.py"
    texts = {
        folder / "rule.yaml": layout.RULE,
        folder / "check.py": layout.CHECK,
        folder / "bad" / "train.py": layout.BAD,
        folder / "good" / "train.py": layout.GOOD,
        silent: layout.SILENT,
    }
    if has_fix:
        texts[folder / "fix.py"] = layout.FIX
    if not package.is_ours:
        texts[tests / f"test_{rule_folder}.py"] = layout.TEST
    if package.is_new:
        texts[package.root / "pyproject.toml"] = layout.PROJECT
    empty = [each / "__init__.py" for each in (folder, folder.parent, package.folder)]
    texts |= {file: "" for file in empty if file.parent == folder or not file.exists()}
    return {file: _filled(text, words) for file, text in texts.items()}


def _sorted(imports: str, package: str) -> str:
    """Import lines in the order in which formatters want them, as far as the name of the package decides it."""
    return "\n".join(sorted(imports.replace("@package@", package).splitlines()))


def _filled(text: str, words: Mapping[str, str]) -> str:
    """A text with the words in their places; what a word brings along is filled, too."""
    return re.sub(r"@(\w+)@", lambda found: _filled(words[found.group(1)], words), text)


def _told(package: _Package, name: str, code: str, stage: str, files: Mapping[Path, str]) -> str:
    """What was done, and what is to be done next."""
    rule_folder = package.folder / stage / name.replace("-", "_")
    lines = [f"The rule `{name}` ({code}) is laid out; until you change it, it finds barriers in loops:", ""]
    lines += [f"  {_shown(file)}" for file in sorted(files) if files[file]]
    lines += [
        "",
        "Next:",
        *(f"  {number}. {step}" for number, step in enumerate(_steps(package, name, rule_folder), 1)),
    ]
    lines += ["", f"Still to be written in {_shown(rule_folder / 'rule.yaml')}:"]
    lines += [f"  line {number}: {key}" for number, key in _unwritten(files[rule_folder / "rule.yaml"])]
    return "\n".join(lines) + "\n"


def _unwritten(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a `rule.yaml` that the author has to write, with their keys."""
    key = ""
    for number, line in enumerate(text.splitlines(), 1):
        if (found := re.match(r" *(\w+):", line)) and found.group(1) != layout.TODO:
            key = found.group(1)
        if layout.TODO in line:
            yield number, key


def _steps(package: _Package, name: str, rule_folder: Path) -> Iterator[str]:
    if not package.is_ours:
        yield f"python -m pip install -e {_shown(package.root)}   # once for the package"
    yield f"ddl-lint check --select {name} {_shown(rule_folder / 'bad')}"
    yield "write bad/ and good/, then check.py: `from ddl_lint.rulekit import ...` is all that it imports of ddl-lint"
    yield f"ddl-lint events {_shown(rule_folder / 'bad' / 'train.py')}   # what a check sees there"
    yield f"ddl-lint test {name}"
    if package.is_ours:
        yield f"python -m pytest tests/rules -k {rule_folder.name}"
        yield "python -m ddl_lint.pages.docs"
    else:
        yield f"python -m pytest {_shown(package.root / 'tests' / f'test_{rule_folder.name}.py')}"


def _shown(path: Path) -> str:
    """A path as it is best typed in the present folder."""
    try:
        return path.relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return path.as_posix()
