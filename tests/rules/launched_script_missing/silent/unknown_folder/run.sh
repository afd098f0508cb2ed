cd $WORK
torchrun --nproc_per_node=8 other.py
