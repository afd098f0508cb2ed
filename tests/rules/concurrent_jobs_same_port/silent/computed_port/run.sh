for i in 0 1; do torchrun --nproc_per_node=2 --master_port=$((29500+i)) train.py & done
torchrun --master_port=29400 train.py
