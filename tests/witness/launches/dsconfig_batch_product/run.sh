# witness: crashes with "Check batch related parameters", on deepspeed
deepspeed --num_gpus 2 --master_port "$PORT" train.py --deepspeed_config ds.json
