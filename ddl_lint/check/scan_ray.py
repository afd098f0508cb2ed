"""Repositories checked by a Ray cluster: a Ray Data job, which gives those of a lost worker to another one."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ddl_lint.check.scanning import Scan
from ddl_lint.processes import safe_folder
from ddl_lint.registry.rules import Rule, load_rules
from ddl_lint.storage import Storage

LOCAL = "local"
"""In place of an address: a cluster on this machine, for this scan."""

_MOST_BLOCKS = 10_000
"""Pieces of work, each of which is done again as a whole where a worker is lost."""


def scan_on_ray(scan: Scan, folders: Sequence[Path], address: str, jobs: int) -> Iterator[tuple[Path, bytes | None]]:
    """What `Scan.check` finds in each repository, in the order in which they are done.

    The workers have to see the repositories under the same paths; what they find comes back through Ray.

    Raises:
        ImportError: Ray is not installed.
        ConnectionError: there is no cluster at the address.
    """
    ray: Any = import_module("ray")  # an optional extra, which is not there where types are checked
    data: Any = import_module("ray.data")
    with redirect_stdout(sys.stderr):  # Ray says there what becomes of its workers
        _start(ray, address, jobs)
        try:
            rows = [{"folder": str(each)} for each in folders]
            pieces = data.from_items(rows, override_num_blocks=min(len(rows), _MOST_BLOCKS))
            for row in pieces.map(_check, fn_kwargs={"scan": scan}).iter_rows():
                yield Path(row["folder"]), bytes(row["found"])
        finally:
            ray.shutdown()


def _start(ray: Any, address: str, jobs: int) -> None:
    folder = os.getcwd()
    os.chdir(safe_folder())  # Ray hands the working directory on as a place to import from
    try:
        where = {"num_cpus": jobs, "include_dashboard": False} if address == LOCAL else {"address": address}
        ray.init(**where, log_to_driver=False, configure_logging=False)
    finally:
        os.chdir(folder)
    ray.data.DataContext.get_current().enable_progress_bars = False
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.ERROR)


def _check(row: dict[str, Any], *, scan: Scan) -> dict[str, Any]:
    return {"folder": row["folder"], "found": scan.check(Path(row["folder"]), _rules(scan.cache))}


@cache
def _rules(cache: Path | None) -> list[Rule]:
    return load_rules(Storage(cache))
