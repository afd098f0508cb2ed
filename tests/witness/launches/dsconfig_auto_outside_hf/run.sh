# witness: crashes with "'>' not supported between instances of 'str' and 'int'", on deepspeed
deepspeed --num_gpus 1 --master_port "$PORT" train.py --deepspeed_config ds.json
