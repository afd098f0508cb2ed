accelerate launch --config_file zero.yaml --num_processes=7 grpo.py --config recipe.yaml
