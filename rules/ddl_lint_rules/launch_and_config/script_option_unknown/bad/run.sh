torchrun --nproc_per_node=4 train.py --batch-size 64 --steps 500  # error: [script-option-unknown]
