deepspeed --num_gpus 2 --master_port "$PORT" train.py
