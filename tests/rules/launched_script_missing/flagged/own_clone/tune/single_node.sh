torchrun --nproc_per_node 8 src/train.py conf.yaml  # error: [launched-script-missing]
