"""No module needs itself to be imported, not even for types or in a function."""

from __future__ import annotations

import grimp


def test_there_are_none() -> None:
    graph = grimp.build_graph("ddl_lint", "ddl_lint_server", "ddl_lint_rules", cache_dir=None)
    needs = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(needs) > 1000
    # What needs no other module is in no circle: it is taken away until only circles, and what leads to them, are left.
    while free := {module for module, needed in needs.items() if not needed & needs.keys()}:
        needs = {module: needed for module, needed in needs.items() if module not in free}
    # In the same way from the other end.
    while free := needs.keys() - set[str]().union(*needs.values()):
        needs = {module: needed for module, needed in needs.items() if module not in free}
    assert sorted(needs) == []
