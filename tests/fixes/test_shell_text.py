"""Edits of shell commands: the text that becomes of them, what is refused, and commands made at random."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable
from itertools import pairwise

import pytest

from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.configs import shell_text
from ddl_lint.source import Document, Span
from ddl_lint.source.shell_words import ShellError, read_command

Edits = Callable[..., list[Edit]]

_LONG = (
    "cd x\n\u00abtorchrun \\\n    --nproc_per_node 4 \\\n    --nnodes=2\u00bb \\\n    train.py --nnodes 7 # go\nls\n"
)
_SHORT = "if a; then\n\t\u00abtorchrun --nproc_per_node 4\u00bb train.py\nfi\n"


def marked(text: str) -> tuple[str, Span]:
    """A text without the marks around its command, and the span between them."""
    start = text.index("\u00ab")
    end = text.index("\u00bb") - 1
    return text.replace("\u00ab", "").replace("\u00bb", ""), Span(start, end)


def after(text: str, edits: Edits, *args: object) -> str:
    """The text that edits make of a marked text; made again, they change nothing."""
    plain, span = marked(text)
    changed = edited(plain, edits(Document("run.sh", plain), span, *args))
    grown = len(changed) - len(plain)
    if edits is shell_text.add_export:
        assert edits(Document("run.sh", changed), Span(span.start + grown, span.end + grown), *args) == []
    elif changed[span.start : span.end + grown].strip():
        assert edits(Document("run.sh", changed), Span(span.start, span.end + grown), *args) == []
    return changed


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "edits", "args", "old", "new"),
    [
        (_LONG, shell_text.set_option, ("--nproc_per_node", "8"), "node 4", "node 8"),
        (_LONG, shell_text.set_option, ("--nproc_per_node", "4"), "", ""),
        (_LONG, shell_text.set_option, ("--nproc-per-node", "8", ["--nproc_per_node"]), "node 4", "node 8"),
        (_LONG, shell_text.set_option, ("--nnodes", "a b"), "=2", "='a b'"),
        (_LONG, shell_text.set_option, ("--seed", "$x"), "=2", "=2 \\\n    --seed '$x'"),
        (_LONG, shell_text.add_option, ("--standalone",), "=2", "=2 \\\n    --standalone"),
        (_LONG, shell_text.add_option, ("--nnodes",), "", ""),
        (_LONG, shell_text.remove_option, ("--nproc_per_node", True), " \\\n    --nproc_per_node 4", ""),
        (_LONG, shell_text.remove_option, ("--nnodes", True), " \\\n    --nnodes=2", ""),
        (_LONG, shell_text.remove_option, ("--seed", True), "", ""),
        (_LONG, shell_text.set_variable, ("A", "1"), "torchrun", "A=1 torchrun"),
        (_LONG, shell_text.add_export, ("A", "1 2"), "torchrun", "export A='1 2'\ntorchrun"),
        (_SHORT, shell_text.set_option, ("--nproc_per_node", "8"), "4", "8"),
        (_SHORT, shell_text.set_option, ("--nnodes", "8"), "4", "4 --nnodes 8"),
        (_SHORT, shell_text.add_option, ("--standalone",), "4", "4 --standalone"),
        (_SHORT, shell_text.remove_option, ("--nproc_per_node", True), " --nproc_per_node 4", ""),
        (_SHORT, shell_text.add_export, ("A", "1"), "\ttorchrun", "\texport A=1\n\ttorchrun"),
    ],
)
def test_commands(newline: str, before: str, edits: Edits, args: tuple[object, ...], old: str, new: str) -> None:
    plain, _ = marked(before)
    expected = plain.replace(old, new, 1) if old else plain
    assert after(before.replace("\n", newline), edits, *args) == expected.replace("\n", newline)


@pytest.mark.parametrize(
    ("before", "edits", "args", "expected"),
    [
        ("«t --n=1»", shell_text.set_option, ("--m", "2"), "t --n=1 --m=2"),
        ("«t --n=\"$N\"» x", shell_text.set_option, ("--n", "2"), 't --n="2" x'),
        ("«t --n '1'»", shell_text.set_option, ("--n", "2"), "t --n '2'"),
        ("«t --n $(nproc | wc -l)» x", shell_text.set_option, ("--n", "2"), "t --n 2 x"),
        ("«t --n ${N:-\"4\"} x»", shell_text.set_option, ("--n", "2"), "t --n 2 x"),
        ("«t --n $N x»", shell_text.set_option, ("--n", "2"), "t --n 2 x"),
        ("«t --n -1 x»", shell_text.set_option, ("--n", "2"), "t --n 2 x"),
        ("«t --n 1 --n 2»", shell_text.set_option, ("--n", "3"), "t --n 1 --n 3"),
        ("«t --n 1 --n=2 x»", shell_text.remove_option, ("--n", True), "t x"),
        ("«t --n x»", shell_text.remove_option, ("--n", False), "t x"),
        ("«t --n \\\n  1 \\\n  x»", shell_text.remove_option, ("--n", True), "t \\\n  x"),
        ("«t --n \\\n  1 \\\n  x»", shell_text.set_option, ("--n", "2"), "t --n \\\n  2 \\\n  x"),
        ("«t x > log 2>&1 # c» | tee", shell_text.add_option, ("--n", "2"), "t x --n 2 > log 2>&1 # c | tee"),
        ("«t 'a\nb'»", shell_text.add_option, ("--n", "2"), "t 'a\nb' --n 2"),
        ("«t \\\n  'a\nb'»", shell_text.add_option, ("--n", "2"), "t \\\n  'a\nb' \\\n  --n 2"),
        ("«A=1 B=2 t»", shell_text.set_variable, ("B", "3"), "A=1 B=3 t"),
        ("«A=1 t»", shell_text.set_variable, ("B", "3"), "A=1 B=3 t"),
        ("«A=1 \\\n  t»", shell_text.remove_variable, ("A",), "t"),
        ("«A=1 B=2 t»", shell_text.remove_variable, ("B",), "A=1 t"),
        ("«export A=1»\n", shell_text.set_variable, ("A", "2"), "export A=2\n"),
        ("«export A=1»\n", shell_text.set_variable, ("B", ""), "export A=1 B=''\n"),
        ("«export A=1 B=2»\n", shell_text.remove_variable, ("A",), "export B=2\n"),
        ("x\n  «export A=1»\ny\n", shell_text.remove_variable, ("A",), "x\ny\n"),
        ("x\n  «export A=1» # why\ny\n", shell_text.remove_variable, ("A",), "x\n  # why\ny\n"),
        ("x\n«A=1»\n", shell_text.remove_variable, ("A",), "x\n"),
        ("if x; then\n  «export A=1»\n  y\nfi\n", shell_text.remove_variable, ("A",), "if x; then\n  y\nfi\n"),
        ("«export A=\"1\"»\n", shell_text.set_variable, ("A", "2:3"), 'export A="2:3"\n'),
        ("«export A=\"1\"»\n", shell_text.set_variable, ("A", "$x"), "export A='$x'\n"),
    ],
)  # fmt: skip
def test_small_commands(before: str, edits: Edits, args: tuple[object, ...], expected: str) -> None:
    assert after(before, edits, *args) == expected


@pytest.mark.parametrize(
    ("before", "edits", "args"),
    [
        ("«t $ARGS» x", shell_text.set_option, ("--n", "2")),
        ('«t "$@"» x', shell_text.set_option, ("--n", "2")),
        ('«t --flag "${ARGS[@]}"» x', shell_text.set_option, ("--n", "2")),
        ("«t --flag $EXTRA» x", shell_text.remove_option, ("--n", True)),
        ("«t --n»", shell_text.set_option, ("--n", "2")),
        ("«t --n --m 1»", shell_text.set_option, ("--n", "2")),
        ("«t --n $@»", shell_text.set_option, ("--n", "2")),
        ('«t "--n"=1»', shell_text.set_option, ("--n", "2")),
        ("«t --n 1»", shell_text.add_option, ("--n", "2")),
        ("«t --n > log 1»", shell_text.remove_option, ("--n", True)),
        ("«t a; b»", shell_text.set_option, ("--n", "2")),
        ("«t a | b»", shell_text.set_option, ("--n", "2")),
        ("«t a &»", shell_text.set_option, ("--n", "2")),
        ("«t a\nb»", shell_text.set_option, ("--n", "2")),
        ("«t <<EOF\nx\nEOF»", shell_text.set_option, ("--n", "2")),
        ("«t 'a»", shell_text.set_option, ("--n", "2")),
        ("«t $(a»", shell_text.set_option, ("--n", "2")),
        ("«t \\» x", shell_text.set_option, ("--n", "2")),
        ("«(t)»", shell_text.set_option, ("--n", "2")),
        ("«»", shell_text.set_option, ("--n", "2")),
        ("«env A=1 t»", shell_text.set_variable, ("A", "2")),
        ("«env t»", shell_text.set_variable, ("A", "2")),
        ("«A=1»", shell_text.set_variable, ("B", "2")),
        ("«A+=1 t»", shell_text.set_variable, ("A", "2")),
        ("«t»", shell_text.set_variable, ("A-B", "2")),
        ("if x; then\n  «export A=1»\nfi\n", shell_text.remove_variable, ("A",)),
        ("x && \\\n  «export A=1»\n", shell_text.remove_variable, ("A",)),
        ("x &&\n  «export A=1»\n", shell_text.remove_variable, ("A",)),
        ("«export A=1»; x\n", shell_text.remove_variable, ("A",)),
        ("x; «t»\n", shell_text.add_export, ("A", "1")),
        ("x \\\n «t»\n", shell_text.add_export, ("A", "1")),
    ],
)
def test_refused(before: str, edits: Edits, args: tuple[object, ...]) -> None:
    plain, span = marked(before)
    with pytest.raises(Unfixable):
        edits(Document("run.sh", plain), span, *args)


def test_words() -> None:
    text = 'A=1 t \'a b\'"c\\"d" \\\n e\\ f $X"y" --n=${Z} *.txt 2>&1 > x # end'
    command = read_command(text, Span(0, len(text)))
    assert [word.value for word in command.words] == ["A=1", "t", 'a bc"d', "e f", None, None, None]
    assert command.words[5].head == "--n="
    assert [text[slice(*span)] for span in command.redirections] == ["2>&1", "> x"]
    assert [text[slice(*span)] for span in command.comments] == ["# end"]
    assert text[slice(*command.words[4].span)] == '$X"y"'
    with pytest.raises(ShellError):
        read_command("t `a", Span(0, 4))


# --- commands made at random ----------------------------------------------------------------------------------

_VALUES = ["1", "a b", "x'y", 'q"', "$HOME", "a#b", "é", "*", "", "a\\b", "~", "-1", "a;b", "x=y", "!"]


@pytest.mark.parametrize("seed", range(200))
def test_random_commands(seed: int) -> None:
    rng = random.Random(seed)
    names = rng.sample(["--nproc_per_node", "--nnodes", "--lr", "--out-dir", "-n", "--x"], 4)
    words = [f"{name}={shlex.quote(rng.choice(_VALUES))}" for name in ("A", "B") if rng.random() < 0.5]
    words.append("torchrun")
    for name in names[:3]:
        value = shlex.quote(rng.choice([value for value in _VALUES if value != "-1"]))
        words += [f"{name}={value}"] if name.startswith("--") and rng.random() < 0.5 else [name, value]
    words.append("train.py")
    newline = rng.choice(["\n", "\r\n"])
    text = words[0]
    for word in words[1:]:
        text += rng.choice([" ", "  ", "\t", f" \\{newline}    ", f" \\{newline}\t"]) + word
    head, tail = f"cd x{newline}  ", f" 2> log # note{newline}exit{newline}"
    plain = head + text + tail
    span = Span(len(head), len(head) + len(text) + len(" 2> log # note"))
    before = shlex.split(text.replace(f"\\{newline}", ""))
    value = rng.choice(_VALUES)
    name = rng.choice(names)
    given = name in names[:3]
    kind = rng.choice(["set", "remove", "variable"])
    if kind == "variable":
        edits = shell_text.set_variable(Document("run.sh", plain), span, "B", value)
    elif kind == "set":
        edits = shell_text.set_option(Document("run.sh", plain), span, name, value)
    else:
        edits = shell_text.remove_option(Document("run.sh", plain), span, name, True)
    changed = edited(plain, edits)
    assert changed.startswith(head)
    assert changed.endswith(tail)
    found = shlex.split(changed[len(head) : len(changed) - len(tail)].replace(f"\\{newline}", ""))
    if kind == "variable":
        others = [word for word in before if not word.startswith("B=")]
        assert [word for word in found if not word.startswith("B=")] == others
        assert f"B={value}" in found[: found.index("torchrun")]
        return

    def others_of(all_words: list[str]) -> list[str]:
        kept: list[str] = []
        for index, word in enumerate(all_words):
            if word == name or word.startswith(f"{name}=") or (index and all_words[index - 1] == name):
                continue
            kept.append(word)
        return kept

    assert others_of(found) == others_of(before)
    is_there = f"{name}={value}" in found or any(one == name and two == value for one, two in pairwise(found))
    assert is_there if kind == "set" else len(found) == len(others_of(before))
    assert given or kind == "set" or found == before
