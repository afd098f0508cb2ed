deepspeed --num_gpus 4 train.py --deepspeed ds_config.json --per_device_train_batch_size 4 --output_dir out
