# witness: crashes with "unrecognized arguments: --local_rank", on deepspeed
deepspeed --num_gpus 2 --master_port "$PORT" train.py --epochs 2
