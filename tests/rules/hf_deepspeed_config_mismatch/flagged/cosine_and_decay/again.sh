torchrun --nproc_per_node=8 train.py --output_dir out --lr_scheduler_type "cosine" --deepspeed ds_config.json
