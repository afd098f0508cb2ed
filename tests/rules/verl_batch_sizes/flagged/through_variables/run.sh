#!/bin/bash
set -x
batch=64
mini=$((batch * 2))  # error: [verl-batch-sizes]
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=$HOME/train.parquet \
    data.train_batch_size=$batch \
    actor_rollout_ref.rollout.n=4 \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=1 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 \
    trainer.total_epochs=3 actor_rollout_ref.actor.ppo_mini_batch_size=$mini "$@"
