deepspeed train.py --deepspeed ds_config.json --output_dir out
