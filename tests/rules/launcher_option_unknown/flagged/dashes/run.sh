torchrun --nproc-per-node=4 train.py  # error: [launcher-option-unknown]
