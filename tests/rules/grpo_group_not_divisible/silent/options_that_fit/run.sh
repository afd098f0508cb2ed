torchrun --nproc_per_node 6 grpo.py --config recipe.yaml --num_generations 12
