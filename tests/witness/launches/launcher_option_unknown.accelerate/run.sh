# witness: crashes with "--nproc_per_node", on accelerate
accelerate launch --multi_gpu --nproc_per_node 2 --num_machines 1 --mixed_precision no --dynamo_backend no --main_process_port 0 train.py
