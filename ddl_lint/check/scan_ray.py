"""Repositories checked by a Ray cluster: a Ray Data job, which gives those of a lost worker to another one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ddl_lint.check.scanning import Scan
from ddl_lint.processes import safe_folder
from ddl_lint.registry.rules import Rule, load_rules

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
    import ray
    import ray.data

    folder = os.getcwd()
    os.chdir(safe_folder())  # Ray hands the working directory on as a place to import from
    try:
        if address == LOCAL:
            ray.init(num_cpus=jobs, include_dashboard=False, log_to_driver=False, configure_logging=False)
        else:
            ray.init(address=address, log_to_driver=False, configure_logging=False)
    finally:
        os.chdir(folder)
    try:
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        rows = [{"folder": str(each)} for each in folders]
        pieces: Any = ray.data.from_items(rows, override_num_blocks=min(len(rows), _MOST_BLOCKS))
        for row in pieces.map(_check, fn_kwargs={"scan": scan}).iter_rows(prefetch_batches=0):
            yield Path(row["folder"]), bytes(row["found"])
    finally:
        ray.shutdown()


def _check(row: dict[str, Any], *, scan: Scan) -> dict[str, Any]:
    return {"folder": row["folder"], "found": scan.check(Path(row["folder"]), _rules())}


@cache
def _rules() -> list[Rule]:
    return load_rules()
