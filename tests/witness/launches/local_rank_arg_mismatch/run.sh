# witness: crashes with "unrecognized arguments: --local-rank=0"
python -m torch.distributed.launch --master_port=$PORT --nproc_per_node=2 train.py
