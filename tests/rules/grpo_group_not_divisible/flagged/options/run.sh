torchrun --nproc_per_node 6 grpo.py --dataset_name trl-lib/tldr --per_device_train_batch_size 4 --num_generations 16  # error: [grpo-group-not-divisible]
