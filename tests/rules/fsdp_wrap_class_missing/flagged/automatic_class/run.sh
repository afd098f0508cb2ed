accelerate launch --config_file fsdp.yaml embed.py
