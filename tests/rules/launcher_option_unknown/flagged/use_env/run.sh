torchrun --use_env --nproc_per_node=4 train.py  # error: [launcher-option-unknown]
