export CUDA_VISIBLE_DEVICES=$GPUS
torchrun --nproc_per_node=4 train.py
