torchrun --use_env --nproc_per_node=4 train.py  # expect: launcher-option-unknown
