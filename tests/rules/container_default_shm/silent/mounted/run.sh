docker run --rm --gpus all -v /dev/shm:/dev/shm img torchrun --nproc_per_node=8 train.py
