"""`ddl-lint mcp`, as a client of the protocol sees it."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

mcp = pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

TRAIN = """\
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
if dist.get_rank() == 0:
    dist.all_reduce(torch.ones(1))
"""
LOG = """\
[rank1]: Traceback (most recent call last):
[rank1]:   File "/home/me/a/train.py", line 6, in <module>
[rank1]:     dist.all_reduce(torch.ones(1))
[rank1]: RuntimeError: Timed out waiting 1800000ms for recv operation to complete
"""
LAUNCH = "torchrun --nproc-per-node 4 train.py\n"


def test_a_session(project):
    """All tools over stdin and stdout, with the protocol's own client."""
    folder = project({"a/train.py": TRAIN, "a/run.sh": LAUNCH, "a/job.log": LOG, "secret/train.py": TRAIN})
    (folder / "a/out.py").symlink_to(folder / "secret/train.py")

    async def session() -> dict[str, tuple[bool, str]]:
        server = mcp.StdioServerParameters(
            command=sys.executable, args=["-m", "ddl_lint", "mcp", "a"], cwd=str(folder), env=dict(os.environ)
        )
        said: dict[str, tuple[bool, str]] = {}
        async with mcp.Client(server) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == ["check", "explain", "trace", "jobs", "diagnose"]
            assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
            asked = {
                "check": {"select": ["hang"]},
                "explain": {"rule": "collective-under-rank-guard"},
                "trace": {"target": "train.py:6", "job": "run.sh:1"},
                "jobs": {},
                "diagnose": {"logs": ["job.log"]},
            }
            outside = {"check": {"paths": ["../secret"]}, "trace": {"target": "out.py:6"}}
            for name, arguments in [*asked.items(), *outside.items()]:
                answer = await client.call_tool(name, arguments)
                key = name if name not in said else f"{name} outside"
                said[key] = bool(answer.is_error), "".join(part.text for part in answer.content)
        return said

    said = asyncio.run(asyncio.wait_for(session(), 300))
    assert [key for key, (is_error, _) in said.items() if is_error] == ["check outside", "trace outside"]
    texts = {key: text for key, (_, text) in said.items()}
    assert texts["check"].startswith("# ddl-lint: 1 finding in 2 files: 1 hang\n\n## 1. train.py:6:5 error DDL")
    assert "says `no problems found`" in texts["check"]
    assert "Why\n" in texts["explain"]
    assert "rank 0 executes it" in texts["trace"] and "run.sh:1 starts them (4 processes)" in texts["trace"]
    assert "train.py" in texts["jobs"] and "4" in texts["jobs"]
    assert (
        texts["check outside"]
        == "Error executing tool check: " + "../secret is outside of the folder that this server reads"
    )
    assert "outside of the folder" in texts["trace outside"]
