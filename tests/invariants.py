"""What no fix may do, read off the texts before and after it with Python's own parser: not as the product does it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.apply import by_path, edited


def broken(texts: Mapping[str, str], fix: Fix) -> list[str]:
    """The invariants that a fix of a program breaks; `texts` are its files by path."""
    safe = fix.applicability is Applicability.SAFE
    found: list[str] = []
    for path, edits in by_path(fix.edits).items():
        before, after = texts[path], edited(texts[path], edits)
        if path.endswith(".py"):
            old, new = ast.parse(before), ast.parse(after)
            found += _unknown_parameters(texts, old, new)
            found += _given_twice(old, new) if safe else ()
            found += _not_initialised(old, new) if safe else ()
        elif path.endswith((".sh", ".sbatch", ".slurm")):
            found += _set_twice(before, after)
            found += _counted(before, after) if safe else ()
    return found


def added_keywords(old: ast.Module, new: ast.Module) -> list[tuple[ast.Call, str]]:
    """The keyword arguments that a program has and an older one had not, each with its call."""
    before = Counter(name for _, name in _keywords(old))
    found: list[tuple[ast.Call, str]] = []
    for call, name in _keywords(new):
        if before[name]:
            before[name] -= 1
        else:
            found.append((call, name[1]))
    return found


def _keywords(module: ast.Module) -> Iterator[tuple[ast.Call, tuple[str, str]]]:
    for call in ast.walk(module):
        if isinstance(call, ast.Call):
            for keyword in call.keywords:
                if keyword.arg is not None:
                    yield call, (ast.unparse(call.func), keyword.arg)


def _given_twice(old: ast.Module, new: ast.Module) -> Iterator[str]:
    for call, name in added_keywords(old, new):
        for other in call.keywords:
            keys = [ast.unparse(key) for key in other.value.keys if key] if isinstance(other.value, ast.Dict) else None
            if other.arg is None and (keys is None or repr(name) in keys):
                yield f"gives `{name}` beside `**{ast.unparse(other.value)}`"


def _unknown_parameters(texts: Mapping[str, str], old: ast.Module, new: ast.Module) -> Iterator[str]:
    """Keywords that no function of this name in the project takes."""
    own = [
        node
        for path, text in texts.items()
        if path.endswith(".py")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and not node.decorator_list
    ]
    modules = {PurePath(path).stem for path in texts}
    for call, name in added_keywords(old, new):
        owner, _, called = ast.unparse(call.func).rpartition(".")
        if owner and owner.partition(".")[0] not in modules:
            continue
        named = [node.args for node in own if node.name == called]
        if named and not any(
            arguments.kwarg or name in {each.arg for each in (*arguments.args, *arguments.kwonlyargs)}
            for arguments in named
        ):
            yield f"gives `{name}` to `{called}`, which does not take it"


_NEEDING = re.compile(
    r"(?:\w+\.)*(dist|distributed|hvd)\.(?:get_rank|get_world_size|barrier|all_reduce|all_gather|broadcast|rank|size"
    r"|local_rank|allreduce|broadcast_object_list)"
)


def _not_initialised(old: ast.Module, new: ast.Module) -> Iterator[str]:
    """Calls that need a group, in a program that makes none and made no such call before."""
    if any(isinstance(node, ast.Call) and _makes_group(ast.unparse(node.func)) for node in ast.walk(new)):
        return
    before = _needing(old)
    for name in _needing(new) - before:
        owner = name.rpartition(".")[0]
        if not any(each.startswith(owner) for each in before) and "is_initialized" not in ast.unparse(new):
            yield f"calls `{name}` in a program that makes no group"


def _makes_group(name: str) -> bool:
    return re.fullmatch(_MAKERS, name.rpartition(".")[2]) is not None


_MAKERS = (
    r"init|init_process_group|Accelerator|PartialState|initialize\w*|init_distributed|Fabric|Trainer|launch\w*|setup\w*"
)


def _needing(module: ast.Module) -> set[str]:
    names = (ast.unparse(node.func) for node in ast.walk(module) if isinstance(node, ast.Call))
    return {name for name in names if _NEEDING.fullmatch(name)}


def _set_twice(before: str, after: str) -> Iterator[str]:
    old, new = (Counter(re.findall(r"^\s*(?:export +)?(\w+)=", text, re.MULTILINE)) for text in (before, after))
    yield from (f"sets `{name}` once more" for name, count in new.items() if 0 < old[name] < count)


def _counted(before: str, after: str) -> Iterator[str]:
    """A directive of Slurm whose number the script reads."""
    for option, variable in (
        ("ntasks-per-node", "SLURM_NTASKS_PER_NODE"),
        ("ntasks", "SLURM_NTASKS"),
        ("nodes", "SLURM_NNODES"),
    ):
        directive = re.compile(rf"^#SBATCH --{option}[= ](\d+)", re.MULTILINE)
        if directive.findall(before) != directive.findall(after) and re.search(rf"\${{?{variable}\b", before):
            yield f"changes `--{option}`, which the script reads"


def names_another(help: str, fix: Fix) -> list[str]:
    """The calls that a help text shows on another object than the fix makes them on."""
    made = {name for edit in fix.edits for name in _methods(edit.text)}
    found: list[str] = []
    for shown in {name for snippet in re.findall(r"`([^`]+)`", help) for name in _methods(snippet)}:
        alike = {name for name in made if name.rpartition(".")[2] == shown.rpartition(".")[2]}
        if alike and shown not in alike:
            found.append(f"the help says `{shown}`, the fix {', '.join(f'`{name}`' for name in sorted(alike))}")
    return found


def _methods(text: str) -> set[str]:
    """What is called in a piece of code, with all that it is asked of: `self.loader.sampler.set_epoch`."""
    return {name for name in re.findall(r"((?:\w+\.)+\w+)\(", text) if not name.startswith(("torch.", "os."))}
