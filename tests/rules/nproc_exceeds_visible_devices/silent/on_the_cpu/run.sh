CUDA_VISIBLE_DEVICES=0 torchrun --nproc_per_node=4 train.py --backend gloo
