# witness: crashes with "unrecognized arguments: --num_gpus", on deepspeed
deepspeed --master_port "$PORT" train.py --num_gpus 2
