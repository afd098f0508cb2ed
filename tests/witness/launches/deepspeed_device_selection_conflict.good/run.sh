deepspeed --include localhost:0 --master_port "$PORT" train.py
