"""Training scripts made from others: statements moved, wrapped and swapped, expressions exchanged, texts damaged."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Sequence
from typing import Any

Block = list[ast.stmt]

_WRAPPERS = (
    "if dist.get_rank() == 0:\n    pass",
    "if rank:\n    pass\nelse:\n    pass",
    "for step in range(10):\n    pass",
    "while True:\n    pass",
    "try:\n    pass\nexcept Exception as error:\n    raise",
    "try:\n    pass\nfinally:\n    pass",
    "with torch.no_grad() as context:\n    pass",
    "def inner(self, *args, key=None, **options):\n    pass",
    "class Inner(torch.nn.Module, metaclass=Meta):\n    pass",
    "async def later():\n    pass",
    "match rank:\n    case 0 | 1 if args:\n        pass\n    case {'a': [x, *y]}:\n        pass",
)
_STATEMENTS = (
    *("return", "return rank", "break", "continue", "raise", "pass", "yield rank", "global rank", "nonlocal rank"),
    *("del model", "assert rank, rank", "await rank", "import torch as dist", "from train import *", "import train"),
    *("rank: int", "rank: int = rank", "rank += 1", "rank = model = loader = rank", "(rank, *model), loader = rank, 1"),
    *("dist.barrier()", "sys.exit(rank)", "exit()", "rank = (yield)", "model = model.module", "locals()['rank'] = 0"),
    *("dist.all_reduce(model, group=rank)", "model.__class__ = rank", "setattr(model, rank, rank)", "exec('rank = 0')"),
    *("print(f'{rank!r:>{rank}}')", "rank = lambda rank=rank: rank", "rank = [rank for rank in rank if rank]"),
    *("rank = rank if rank else rank", "(rank := rank)", "rank[rank:rank, ...] = rank", "type = object = super = rank"),
    *("dist = torch = None", "model.to(rank)(rank)[rank]", "rank = {**rank, rank: rank}", "rank(*rank, **rank)"),
    *("rank = not -~+rank", "rank = rank @ rank // rank << rank", "rank = 0 < rank < 2 != rank is not None in rank"),
)
_VALUES = (
    *("None", "True", "-1", "0", "1e309", "10**30", "1j", "''", "b'\\x00'", "'\\ud83d'", "'a' * 10**9", "...", "()"),
    *("[]", "{}", "{*()}", "rank", "rank.rank", "rank()", "rank[0]", "lambda: rank", "2 ** 2 ** 20", "'%(a)s' % rank"),
    *("float('nan')", "[rank] * 10**9", "range(10**12)", "'{}{0}'.format(rank)", "not rank", "rank or rank", "*rank"),
)


class Mutator:
    """Makes a script from a seed; the same number always gives the same script."""

    def __init__(self, seeds: Sequence[str]) -> None:
        self._seeds = seeds

    def made(self, number: int) -> str:
        """The script of a number."""
        dice = random.Random(number)
        text = dice.choice(self._seeds)
        try:
            tree = ast.parse(text)
            for _ in range(dice.randint(1, 6)):
                dice.choice(_CHANGES)(dice, tree, self._seeds)
            text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        except (SyntaxError, ValueError, TypeError, AttributeError, RecursionError, IndexError):
            pass  # the damage below is left
        if dice.random() < 0.35:
            for _ in range(dice.randint(1, 3)):
                text = dice.choice(_DAMAGES)(dice, text)
        return text


# --- changes of the tree ----------------------------------------------------------------------------------------------


def _blocks(tree: ast.AST) -> list[Block]:
    found = [getattr(node, name, None) for node in ast.walk(tree) for name in ("body", "orelse", "finalbody")]
    return [block for block in found if isinstance(block, list) and block and isinstance(block[0], ast.stmt)]


def _block(dice: random.Random, tree: ast.Module) -> Block:
    return dice.choice(_blocks(tree))


def _statements(text: str) -> Block:
    return ast.parse(text).body


def _delete(dice: random.Random, tree: ast.Module, _: Sequence[str]) -> None:
    block = _block(dice, tree)
    block.pop(dice.randrange(len(block)))
    if not block:
        block.append(ast.Pass())


def _repeat(dice: random.Random, tree: ast.Module, _: Sequence[str]) -> None:
    block = _block(dice, tree)
    block.insert(dice.randrange(len(block) + 1), dice.choice(block))


def _swap(dice: random.Random, tree: ast.Module, _: Sequence[str]) -> None:
    block = _block(dice, tree)
    first, second = dice.randrange(len(block)), dice.randrange(len(block))
    block[first], block[second] = block[second], block[first]


def _move(dice: random.Random, tree: ast.Module, _: Sequence[str]) -> None:
    source, target = _block(dice, tree), _block(dice, tree)
    statement = source[dice.randrange(len(source))]
    if not any(node is target for inner in ast.walk(statement) for node in _own_blocks(inner)):
        target.insert(dice.randrange(len(target) + 1), statement)


def _own_blocks(node: ast.AST) -> list[Any]:
    return [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]


def _wrap(dice: random.Random, tree: ast.Module, _: Sequence[str]) -> None:
    block = _block(dice, tree)
    first = dice.randrange(len(block))
    last = dice.randint(first, len(block))
    wrapper = _statements(dice.choice(_WRAPPERS))[0]
    inside = block[first:last] or [ast.Pass()]
    dice.choice(_blocks(wrapper))[:] = inside
    block[first:last] = [wrapper]


def _insert(dice: random.Random, tree: ast.Module, _: Sequence[str]) -> None:
    block = _block(dice, tree)
    block[dice.randrange(len(block) + 1) : 0] = []
    position = dice.randrange(len(block) + 1)
    block[position:position] = _statements(dice.choice(_STATEMENTS))


def _splice(dice: random.Random, tree: ast.Module, seeds: Sequence[str]) -> None:
    other = ast.parse(dice.choice(seeds))
    block = _block(dice, tree)
    position = dice.randrange(len(block) + 1)
    block[position:position] = [dice.choice(_block(dice, other))]


def _exchange(dice: random.Random, tree: ast.Module, _: Sequence[str]) -> None:
    """Put another expression, or an odd value, where one is."""
    places = [
        (node, name, index)
        for node in ast.walk(tree)
        for name, value in ast.iter_fields(node)
        for index, part in enumerate(value if isinstance(value, list) else [value])
        if isinstance(part, ast.expr) and isinstance(getattr(part, "ctx", ast.Load()), ast.Load)
    ]
    node, name, index = dice.choice(places)
    new: ast.expr
    if dice.random() < 0.5:
        other, field, position = dice.choice(places)
        value = getattr(other, field)
        new = value[position] if isinstance(value, list) else value
    else:
        call = ast.parse(f"f({dice.choice(_VALUES)})", mode="eval").body
        assert isinstance(call, ast.Call)
        new = call.args[0]
    new = ast.parse(ast.unparse(new), mode="eval").body if not isinstance(new, ast.Starred) else new
    value = getattr(node, name)
    if isinstance(value, list):
        value[index] = new
    else:
        setattr(node, name, new)


def _rename(dice: random.Random, tree: ast.Module, _: Sequence[str]) -> None:
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    old, new = dice.choice(names).id, dice.choice(names).id
    for node in names:
        if node.id == old and dice.random() < 0.7:
            node.id = new


def _arguments(dice: random.Random, tree: ast.Module, _: Sequence[str]) -> None:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    call = dice.choice(calls)
    match dice.randrange(5):
        case 0 if call.args:
            call.args.pop(dice.randrange(len(call.args)))
        case 1 if call.keywords:
            call.keywords.pop(dice.randrange(len(call.keywords)))
        case 2:
            call.args.append(ast.Starred(ast.Name("rank", ast.Load()), ast.Load()))
        case 3:
            call.keywords.append(ast.keyword(None, ast.Name("rank", ast.Load())))
        case _:
            call.args, call.keywords = [], [ast.keyword(f"a{number}", each) for number, each in enumerate(call.args)]


_CHANGES: tuple[Callable[[random.Random, ast.Module, Sequence[str]], None], ...] = (
    *(_delete, _repeat, _swap, _move, _wrap, _wrap, _insert, _insert, _splice, _exchange, _exchange, _rename),
    _arguments,
)


# --- damages of the text ----------------------------------------------------------------------------------------------

_SIGNS = (
    *("(", ")", "[", "}", '"', "'", '"""', "\\", "#", "\t", "\f", "\r", "\r\n", "\n", ":", "@", "=", ":=", "*", "\x00"),
    *(
        "\ufeff",
        "\u2028",
        "é",
        "\ufb01",
        "\U0001d431",
        "🚀",
        "0x",
        "lambda",
        "f'{",
        "# type: ignore",
        "# ddl-lint: ignore[",
        "  ",
    ),
    *("# ddl-lint: ignore-file", "%matplotlib inline\n", "!ls\n", "async ", "await ", "yield ", "else:\n", "\x1b[31m"),
)


def _cut(dice: random.Random, text: str) -> str:
    return text[: dice.randrange(len(text) + 1)]


def _put_in(dice: random.Random, text: str) -> str:
    place = dice.randrange(len(text) + 1)
    return text[:place] + dice.choice(_SIGNS) + text[place:]


def _take_out(dice: random.Random, text: str) -> str:
    place = dice.randrange(len(text) + 1)
    return text[:place] + text[place + dice.randint(1, 12) :]


def _shift(dice: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    number = dice.randrange(len(lines))
    lines[number] = " " * dice.randint(0, 9) + lines[number].lstrip(" ")
    return "".join(lines)


def _ends(dice: random.Random, text: str) -> str:
    return text.replace("\n", dice.choice(["\r\n", "\r", "\n\n", "\n\f\n"]))


_DAMAGES: tuple[Callable[[random.Random, str], str], ...] = (_cut, _put_in, _put_in, _take_out, _shift, _ends)
