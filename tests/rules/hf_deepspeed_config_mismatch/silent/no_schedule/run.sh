torchrun --nproc_per_node=4 train.py --output_dir out --lr_scheduler_type cosine --deepspeed ds_config.json
