#!/bin/bash
set -x
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=$HOME/train.parquet \
    data.train_batch_size=16 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \
    actor_rollout_ref.rollout.n=8 \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=1 \
    actor_rollout_ref.actor.ppo_mini_batch_size=128  # error: [verl-batch-sizes]
