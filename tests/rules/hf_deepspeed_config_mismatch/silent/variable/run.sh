deepspeed train.py --deepspeed ds_config.json --per_device_train_batch_size $BATCH --output_dir out
