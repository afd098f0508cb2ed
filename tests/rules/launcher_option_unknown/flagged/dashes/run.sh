torchrun --nproc-per-node=4 train.py  # expect: launcher-option-unknown
