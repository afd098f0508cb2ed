deepspeed --num_gpus 4 train.py --deepspeed --deepspeed_config ds_config.json
deepspeed --num_gpus 8 train.py --deepspeed --deepspeed_config ds_config.json
