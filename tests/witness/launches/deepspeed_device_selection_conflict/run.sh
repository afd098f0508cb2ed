# witness: crashes with "Cannot specify num_nodes/gpus with include/exclude", on deepspeed
deepspeed --num_gpus 2 --include localhost:0,1 --master_port "$PORT" train.py
