torchrun --nproc_per_node=2 train.py &
torchrun --nproc_per_node=2 train.py & # error: [concurrent-jobs-same-port]
