"""Functions that look as if somebody starts them, though no code of the project shows who does."""

from __future__ import annotations

from collections import Counter

from ddl_lint.analysis.interpreter.machine import Machine
from ddl_lint.analysis.interpreter.project.entries import Entry, definitions, is_notebook, is_test
from ddl_lint.program import code


def likely_entries(m: Machine, module: code.Module, imported: frozenset[str]) -> list[Entry]:
    """The functions of a module that somebody seems to start, those that an earlier run has entered left out. Whether
    they set up a job by themselves (`sets_up_job`) is to be seen.

    What the top level of the module does must have been followed before. A notebook has none: what runs in it is in its
    cells.
    """
    if module.is_package or module.name in imported or is_test(module) or is_notebook(module.path):
        return []
    functions = [each for each in definitions(module.body) if isinstance(each, code.Function)]
    mentioned = Counter(name for each in functions for name in each.mentions)
    return [
        entry
        for function in functions
        if function not in m.visited and not function.is_generator
        # by others than itself
        if mentioned[function.name] == (function.name in function.mentions)
        for entry in [_likely(m, module, function)]
        if entry is not None
    ]


def _likely(m: Machine, module: code.Module, function: code.Function) -> Entry | None:
    if function in m.loosened:
        reason = "its decorator is not known, and no code calls it"
        return Entry(module.name, "decorated", reason, function.name)
    if m.api.names_like("entry_function_patterns").search(function.name) and _asks_for_options(m, function):
        return Entry(module.name, "main", "no code calls it, and none imports the module", function.name)
    return None


def _asks_for_options(m: Machine, function: code.Function) -> bool:
    """Whether a function can be called with what a command line, or what starts processes, gives."""
    pattern = m.api.names_like("entry_parameter_patterns")
    return all(
        parameter.default is not None
        or parameter.kind in ("var_positional", "var_keyword")
        or pattern.search(parameter.name) is not None
        or m.conventional(parameter.name) is not None
        for parameter in function.parameters
    )
