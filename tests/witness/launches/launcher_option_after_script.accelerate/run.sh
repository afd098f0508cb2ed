# witness: wrong, on accelerate
accelerate launch --num_machines 1 --mixed_precision no --dynamo_backend no --main_process_port 0 train.py --multi_gpu --num_processes 2
