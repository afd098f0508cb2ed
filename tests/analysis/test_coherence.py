"""The places that prove a finding belong to one execution, or it is none."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.queries.coherence import never_together
from ddl_lint.finding import Evidence, Finding

HEAD = """
import argparse, os, sys
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--kind")
parser.add_argument("--fast", action="store_true")
args = parser.parse_args()
state = {}

def first(): torch.save(state, "first.pt")
def second(): torch.save(state, "second.pt")
"""

APART = [
    "if args.fast: first()\nelse: second()",
    "if args.fast: first()\nif not args.fast: second()",
    "fast = args.kind is not None\nif fast: first()\nif args.kind is None: second()",
    "if args.kind == 'a': first()\nif args.kind == 'b': second()",
    "if args.fast and args.kind: first()\nif not args.fast: second()",
    "for step in range(int(args.kind)):\n    if args.fast: first()\n    if not args.fast: second()",
    "def both():\n    if args.fast: first()\n    if not args.fast: second()\nboth()\nboth()",
    "count = len(sys.argv)\nif count > 2:\n    first()\n    sys.exit()\nsecond()",
]

TOGETHER = [
    "if args.fast: first()\nsecond()",
    "if args.fast: first()\nif args.kind: second()",
    "if args.kind == 'a': first()\nif args.kind != 'b': second()",
    "if dist.get_rank() == 0: first()\nelse: second()",
    "for kind in sys.stdin:\n    if kind == 'a': first()\n    else: second()",
    "def either(kind):\n    if kind == 'a': first()\n    else: second()\neither(sys.stdin.read())\neither(input())",
    "if sys.stdin.read() == 'a': first()\nif sys.stdin.read() != 'a': second()",
    "if args.fast: first()\nargs.fast = input()\nif not args.fast: second()",
]


@pytest.mark.parametrize(("body", "apart"), [*((body, True) for body in APART), *((body, False) for body in TOGETHER)])
def test_places_under_opposite_truths_of_one_condition(follow_project, body: str, apart: bool) -> None:
    (run,) = [view for view in follow_project(HEAD + body).views if view.is_script]
    saves = {event.location: event for event in run.events("save")}
    first, second = saves
    for one, other in ((first, second), (second, first)):
        assert never_together(run, Finding("", one, (Evidence("", other),))) is apart
