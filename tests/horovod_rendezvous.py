"""What `horovodrun` does before it starts processes on one machine: where they meet, and what each is told of it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

_CYCLE = "200"
"""Milliseconds between two looks at what is to be reduced. The usual one keeps processes busy that only wait."""


@contextmanager
def rendezvous(processes: int) -> Iterator[Sequence[Mapping[str, str]]]:
    """The variables of each process, while the server runs at which they meet."""
    hosts = importlib.import_module("horovod.runner.common.util.hosts")  # only there where it is built
    gloo_run = importlib.import_module("horovod.runner.gloo_run")
    http_server = importlib.import_module("horovod.runner.http.http_server")
    places = hosts.get_host_assignments(hosts.parse_hosts(f"localhost:{processes}"), processes)
    server = http_server.RendezvousServer()
    port = server.start()
    server.init(places)
    common = {**gloo_run.create_run_env_vars("127.0.0.1", {"lo"}, port), "HOROVOD_CYCLE_TIME": _CYCLE}
    try:
        yield [
            {name: str(value) for name, value in {**common, **gloo_run.create_slot_env_vars(place)}.items()}
            for place in places
        ]
    finally:
        server.stop()
