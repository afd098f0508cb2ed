# witness: crashes with "--nproc_per_node", on deepspeed
deepspeed --nproc_per_node 2 --master_port "$PORT" train.py
