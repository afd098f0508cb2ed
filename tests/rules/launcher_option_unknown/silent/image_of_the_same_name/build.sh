#!/bin/bash
IMAGE=deepspeed
docker build -t ${IMAGE} -f Dockerfile --build-arg BASE=24.04 .
docker run --rm --shm-size=16g --gpus all ${IMAGE} torchrun --nproc_per_node=8 train.py
conda create -n deepspeed --yes python=3.11
