NODES=2
torchrun --nnodes=$NODES --rdzv_backend=c10d --master_addr=10.0.0.4 train.py # error: [multinode-rendezvous-incomplete]
