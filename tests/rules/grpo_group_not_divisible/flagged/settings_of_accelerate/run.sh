accelerate launch --config_file gpus.yaml grpo.py
