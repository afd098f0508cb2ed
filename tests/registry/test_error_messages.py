"""Whoever pastes a message into the search of the page finds what to do: what people paste, and what logs hold."""

from __future__ import annotations

import re
from functools import cache

import pytest

from ddl_lint.pages.error_messages import error_document
from ddl_lint.pages.log_messages import log_messages
from ddl_lint.registry.rules import load_rules

PASTED = {
    "[rank5]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=812, OpType=_ALLGATHER_BASE, NumelIn=4096, "
    "NumelOut=32768, Timeout(ms)=600000) ran for 600089 milliseconds before timing out": "collective-under-rank-guard",
    "Timeout at NCCL work: 812, last enqueued NCCL work: 814, last completed NCCL work: 811": "early-exit",
    "failure detected by watchdog at work sequence id: 55 PG status: last enqueued work: 57, last completed work: 54": (
        "collective-under-rank-guard"
    ),
    "watchdog got stuck for 600 seconds without making progress in monitoring enqueued collectives": "earlier error",
    "Detected mismatch between collectives on ranks. Rank 3 is running collective: CollectiveFingerPrint("
    "SequenceNumber=9, OpType=ALLREDUCE, TensorShape=[8]), but Rank 0 is running collective: "
    "CollectiveFingerPrint(SequenceNumber=9, OpType=BARRIER)": "collective-order-differs",
    "Collectives differ in the following aspects: Sequence number: 3vs 4": "collective-order-differs",
    "Timed out waiting 120000ms for send operation to complete": "collective-under-rank-guard",
    "Connection closed by peer [10.0.0.7]:4711": "rank-local-loop-exit",
    "Connection reset by peer": "rank that ended first",
    "op.preamble.length <= op.nbytes. 16 vs 8": "rank-dependent-shape-or-dtype",
    "Rank 2 failed to pass monitoredBarrier in 60000 ms": "collective-under-rank-guard",
    "wait timeout after 300000ms, keys: /default_pg/0//cuda//1": "new-group-not-on-all-ranks",
    "Timed out after 61 seconds waiting for clients. 3/4 clients joined.": "world-size-vs-launch-size",
    "The client socket has timed out after 30000ms while trying to connect to (head, 29501).": "loopback-master",
    "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError": "multinode-rendezvous-incomplete",
    "Expected to have finished reduction in the prior iteration before starting a new one": "ddp-parameters-without",
    "Parameter indices which did not receive grad for rank 0: 8 9": "ddp-parameters-without-gradient",
    "Parameters which did not receive grad for rank 1: pooler.weight": "ddp-parameters-without-gradient",
    "Expected to mark a variable ready only once": "ddp-backward-outside-reducer",
    "Default process group has not been initialized": "missing-init-process-group",
    "trying to initialize the default process group twice": "deepspeed-double-init-process-group",
    "environment variable LOCAL_RANK expected, but not set": "started-without-launcher",
    "EADDRINUSE, message: address already in use": "srun-torchrun-many-tasks",
    "CUDA error: invalid device ordinal": "wrong-device-index",
    "Duplicate GPU detected : rank 3 and rank 0 both on CUDA device 4000": "wrong-device-index",
    "train.py: error: unrecognized arguments: --local_rank=0": "local-rank-argument-under-torchrun",
    "unhandled system error, NCCL version 2.20.5": "container-default-shm",
    "ncclSystemError: System call (e.g. socket, malloc) or external library call failed": "container-default-shm",
    "unhandled cuda error, NCCL version 2.20.5": "driver that is too old",
    "ncclUnhandledCudaError: Call to CUDA function failed": "driver that is too old",
    "ncclInternalError: Internal check failed": "NCCL_DEBUG",
    "ncclInvalidUsage: This usually reflects invalid usage of NCCL library": "wrong-device-index",
    "ncclRemoteError: A call failed possibly due to a network error": "rank that ended first",
    "Root Cause (first observed failure):": "@record",
    "exitcode  : 1 (pid: 71)": "@record",
    "error_file: <N/A>": "@record",
    "failed (exitcode: 1) local_rank: 2 (pid: 88) of binary: /opt/bin/python": "@record",
    "[launch.py:300:sigkill_handler] ['python', 'main.py'] exits with return code = -9": "dmesg",
    "One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting for "
    "remainder of ranks for more than 60 seconds": "collective-under-rank-guard",
    "allreduce.head.weight [missing ranks: 3]": "collective-under-rank-guard",
    "Stalled ops: broadcast.embedding [ready ranks: 0]": "collective-under-rank-guard",
    "Mismatched allgather tensor shapes: One rank sent a tensor of shape [4]": "rank-dependent-shape-or-dtype",
    "Collective ops is aborted by: Collective instance 2 expected type 0 but got type 1": "chief-only-collective",
    "Aborting RingReduce with Out of range: End of sequence": "uneven-partition",
    "CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 39.4 GiB": "load-without-map",
    "Process 12 has 3.1 GiB memory in use": "set-device-missing",
    "slurmstepd: error: Detected 2 oom_kill events in StepId=5.0": "zero3-model-loading",
    "srun: error: n2: task 1: Out Of Memory": "zero3-model-loading",
    'Missing key(s) in state_dict: "module.head.bias"': "ddp-wrapped-state-dict",
    'Unexpected key(s) in state_dict: "_orig_mod.head.bias"': "wrapped-state-into-plain-model",
    "size mismatch for head.weight: copying a param with shape torch.Size([0]) from checkpoint, the shape in current "
    "model is torch.Size([8, 4])": "deepspeed-zero3-save-state-dict",
    "Weights only load failed": "checkpoint-refused-by-default",
    "Unsupported global: GLOBAL numpy.dtype was not an allowed global by default": "checkpoint-refused-by-default",
    "Must flatten tensors with uniform dtype but got torch.float16 and torch.float32": "fsdp-quantized-storage",
    "Must flatten tensors with uniform `requires_grad`": "fsdp-mixed-trainable",
    "Could not find the transformer layer class MistralDecoderLayer in the model": "fsdp-wrap-class-missing",
    "Invalidate trace cache @ step 0: expected module 4, but got module 7": "sharded-call-by-data",
    "'weight' must be 2-D": "deepspeed-zero3-ungathered-param-access",
    "*** JOB 12 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***": "hung",
    "*** STEP 12.0 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO PREEMPTION ***": "last checkpoint",
    "You set `devices=8` in Lightning, but the number of tasks per node configured in SLURM `--ntasks-per-node=1` does "
    "not match": "slurm-tasks-vs-processes",
    "DataLoader worker (pid 3) is killed by signal: Bus error": "container-default-shm",
    "Sending process 12 closing signal SIGTERM": "failed first",
}
"""What people paste, and what one of the rows that the search then shows first must say."""

_WORD = re.compile(r"[a-z_]{2,}")
_ROW = re.compile(r"^\| (`+ ?(?:.*?) ?`+) \| (.*) \|$", re.MULTILINE)


@cache
def _rows() -> list[tuple[frozenset[str], str]]:
    page = error_document(load_rules())
    return [(frozenset(_WORD.findall(text.lower())), told) for text, told in _ROW.findall(page)]


def _first(pasted: str, most: int) -> list[str]:
    """What the search of the page shows (`docs/_static/error-search.js`)."""
    words = set(_WORD.findall(pasted.lower()))
    counted = [(len(row & words), row, told) for row, told in _rows() if row]
    hits = [
        (max(found / len(row), found / len(words) if found >= 2 else 0), found, told) for found, row, told in counted
    ]
    hits = sorted((hit for hit in hits if hit[0] >= 0.5), key=lambda hit: (-hit[0], -hit[1]))
    return [told for *_, told in hits[:most]]


@pytest.mark.parametrize("pasted", PASTED)
def test_the_search_finds_what_people_paste(pasted: str) -> None:
    assert any(PASTED[pasted] in told for told in _first(pasted, most=5))


def test_each_message_of_logs_leads_somewhere_and_is_there_once() -> None:
    page = error_document(load_rules())
    for each in log_messages():
        assert each.rules or each.look
        assert page.count(f"\n| `{each.text}` | ") + page.count(f"\n| `` {each.text} `` | ") == 1
