#!/bin/bash
set -x
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=$HOME/train.parquet \
    actor_rollout_ref.rollout.n=5 \
    actor_rollout_ref.actor.ppo_mini_batch_size=16 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1 \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=2 \
    data.train_batch_size=30  # error: [verl-batch-sizes]
