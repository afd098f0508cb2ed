if [ -n "$DEBUG" ]; then export CUDA_VISIBLE_DEVICES=0; fi
torchrun --nproc_per_node=4 train.py
