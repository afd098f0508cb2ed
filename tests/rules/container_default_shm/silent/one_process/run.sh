docker run --rm --gpus all img torchrun --nproc_per_node=1 train.py
