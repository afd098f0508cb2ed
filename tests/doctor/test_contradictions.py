"""Variables that do not go together."""

from __future__ import annotations

import pytest

from ddl_lint.doctor.contradictions import contradictions
from ddl_lint.doctor.knowledge import knowledge
from ddl_lint.registry.rules import installed

CASES = [
    ("RANK=4 WORLD_SIZE=4 MASTER_ADDR=a MASTER_PORT=1", "rank-beyond-world-size"),
    ("RANK=3 WORLD_SIZE=4 MASTER_ADDR=a MASTER_PORT=1", ""),
    ("LOCAL_RANK=8 LOCAL_WORLD_SIZE=8", "local-rank-beyond-local-world-size"),
    ("WORLD_SIZE=1 LOCAL_WORLD_SIZE=8", "world-size-below-local-world-size"),
    ("WORLD_SIZE=8 LOCAL_WORLD_SIZE=8 MASTER_ADDR=127.0.0.1", ""),
    ("WORLD_SIZE=16 LOCAL_WORLD_SIZE=8 MASTER_ADDR=127.0.0.1", "loopback-master"),
    ("SLURM_JOB_NUM_NODES=2 MASTER_ADDR=localhost", "loopback-master"),
    ("SLURM_JOB_NUM_NODES=1 MASTER_ADDR=localhost", ""),
    ("SLURM_JOB_NUM_NODES=2 MASTER_ADDR=localhost-7", ""),
    ("PET_NNODES=1:2 MASTER_ADDR=localhost", ""),
    ("SLURM_NNODES=2 NCCL_SOCKET_IFNAME==lo", "loopback-interface"),
    ("SLURM_NNODES=2 GLOO_SOCKET_IFNAME=lo", "loopback-interface"),
    ("SLURM_NNODES=2 NCCL_SOCKET_IFNAME=^lo,docker", ""),
    ("CUDA_VISIBLE_DEVICES=0,1 LOCAL_WORLD_SIZE=4", "fewer-devices-than-processes"),
    ("CUDA_VISIBLE_DEVICES=0,1,-1,2,3 LOCAL_WORLD_SIZE=4", "fewer-devices-than-processes"),
    ("CUDA_VISIBLE_DEVICES=GPU-8f,GPU-9a LOCAL_WORLD_SIZE=2", ""),
    ("CUDA_VISIBLE_DEVICES=3 LOCAL_WORLD_SIZE=4", ""),  # a device for each process
    ("CUDA_VISIBLE_DEVICES=$DEVICES LOCAL_WORLD_SIZE=4", ""),
    ("CUDA_VISIBLE_DEVICES=0,1,2,3 SLURM_GPUS_ON_NODE=2", "more-devices-than-allocated"),
    ("CUDA_VISIBLE_DEVICES=", "no-visible-device"),
    ("CUDA_VISIBLE_DEVICES=-1", "no-visible-device"),
    ("SLURM_STEP_NUM_TASKS=4 WORLD_SIZE=4 RANK=0 SLURM_PROCID=2 MASTER_ADDR=a MASTER_PORT=1",
     "same-rank-for-all-tasks"),
    ("SLURM_STEP_NUM_TASKS=4 WORLD_SIZE=4 RANK=2 SLURM_PROCID=2 MASTER_ADDR=a MASTER_PORT=1", ""),
    ("SLURM_STEP_NUM_TASKS=2 WORLD_SIZE=16 RANK=9 SLURM_PROCID=1 LOCAL_WORLD_SIZE=8 MASTER_ADDR=a MASTER_PORT=1", ""),
    ("SLURM_STEP_NUM_TASKS=8 WORLD_SIZE=4 RANK=0 SLURM_PROCID=0 MASTER_ADDR=a MASTER_PORT=1", "world-size-below-tasks"),
    ("OMPI_COMM_WORLD_SIZE=8 WORLD_SIZE=4 RANK=0 MASTER_ADDR=a MASTER_PORT=1", "world-size-differs-from-mpi"),
    ("OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=1 WORLD_SIZE=4 RANK=0 MASTER_ADDR=a MASTER_PORT=1",
     "rank-differs-from-mpi"),
    ("RANK=0 WORLD_SIZE=2", "incomplete-rendezvous"),
    ("CUDA_LAUNCH_BLOCKING=1", "debugging-left-on"),
    ("TORCH_DISTRIBUTED_DEBUG=DETAIL", "debugging-left-on"),
    ("RANK=x WORLD_SIZE=%s MASTER_ADDR= MASTER_PORT=" % ("9" * 5000), ""),
]  # fmt: skip


@pytest.mark.parametrize(("variables", "name"), CASES)
def test_contradictions(variables: str, name: str):
    found = [each.name for each in contradictions(dict(word.split("=", 1) for word in variables.split()))]
    assert found == ([name] if name else [])


def test_each_contradiction_has_a_case():
    assert {each["name"] for each in knowledge()["contradictions"]} == {name for _, name in CASES} - {""}


def test_the_variables_of_all_comparisons_are_read():
    told = tuple(knowledge()["variables"])
    for each in knowledge()["contradictions"]:
        for left, _, *right in (*each["if"], *each.get("any", ())):
            names = [str(side).rpartition(" ")[2] for side in (left, *right)]
            assert all(name.startswith(told) for name in names if name.isupper()), names


def test_the_rules_that_are_asked_exist():
    rules = installed().rules
    asked = [
        each
        for group in ("about_packages", "about_variables", "about_versions", "about_launches")
        for each in knowledge()[group]
    ]
    for name in asked:
        assert any(rule.name == name or rule.code.startswith(name) for rule in rules), name
