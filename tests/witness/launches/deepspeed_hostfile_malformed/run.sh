# witness: crashes with "contains a bad entry", on deepspeed
deepspeed --hostfile hosts --master_port "$PORT" train.py
