#!/bin/bash
set -x
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=$HOME/train.parquet \
    --config-path=config \
    --config-name=small.yaml \
    actor_rollout_ref.actor.ppo_mini_batch_size=512 data.train_batch_size=64 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=3
