python3 -m torch.distributed.run --nproc_per_node=8 train.py \
  data.batch=32 \  # error: [broken-line-continuation]
  model.width=64
