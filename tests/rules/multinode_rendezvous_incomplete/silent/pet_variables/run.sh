export PET_NODE_RANK=$RANK
torchrun --nnodes=2 --nproc_per_node=8 --master_addr=head train.py
