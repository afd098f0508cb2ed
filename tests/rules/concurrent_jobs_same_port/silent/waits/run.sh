torchrun --nproc_per_node=2 --master_port=29500 train.py &
wait
torchrun --nproc_per_node=2 --master_port=29500 train.py
