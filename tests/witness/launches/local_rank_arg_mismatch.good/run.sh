torchrun --master_port=$PORT --nproc_per_node=2 train.py
