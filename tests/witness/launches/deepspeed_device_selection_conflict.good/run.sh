deepspeed --include localhost:0,1 --master_port "$PORT" train.py
