torchrun --nnodes=2 --nproc_per_node=8 --rdzv_id="$JOB"--rdzv_backend=c10d --rdzv_endpoint=$HEAD:2222 train.py # error: [multinode-rendezvous-incomplete]
