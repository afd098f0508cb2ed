# witness: crashes with "Cannot specify num_nodes/gpus with include/exclude", on deepspeed
deepspeed --num_gpus 1 --include localhost:0 --master_port "$PORT" train.py
