torchrun --nnodes=2 --node_rank=1 --master_addr=localhost --master_port=1234 train.py &
torchrun --nnodes=2 --node_rank=0 --master_addr=localhost --master_port=1234 train.py
