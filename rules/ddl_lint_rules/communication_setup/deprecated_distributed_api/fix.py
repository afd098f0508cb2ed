"""Writes the new name of an old one."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Const, Fix, NameUse, RunView, Unfixable, code, file_of, replace_expression


def fix(run: RunView, use: NameUse, instead: str, *, same: bool) -> Fix:
    """`dist.reduce_op` to `dist.ReduceOp`."""
    if not same:
        raise Unfixable("the new function takes other arguments")
    if use.imported:
        raise Unfixable("the name is imported and may be used elsewhere")
    old, _, new = instead.rpartition(".")
    if use.name.rpartition(".")[0] != old:
        raise Unfixable("the new name is in another module")
    file = file_of(run, use.location)
    node = file.node(use.location, code.Attribute)
    edit = file.edit(node.end - len(node.attr), node.end, new)
    return Fix(f"Use {new}", (edit,), Applicability.SAFE)


def fix_variable(run: RunView, name: Const, instead: str) -> Fix:
    """`os.environ["NCCL_BLOCKING_WAIT"]` to `os.environ["TORCH_NCCL_BLOCKING_WAIT"]`."""
    if name.location is None:
        raise Unfixable("the name of the variable is not a literal here")
    file = file_of(run, name.location)
    literal = file.node(name.location, code.Literal)
    return Fix(f"Use {instead}", (replace_expression(file, literal, file.string(instead)),), Applicability.SAFE)
