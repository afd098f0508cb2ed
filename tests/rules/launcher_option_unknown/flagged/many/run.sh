WIDTH="--hidden 1024"  # expect: launcher-option-unknown
DEPTH="--depth 24"  # expect-related: launcher-option-unknown
HEADS="--heads 16"  # expect-related: launcher-option-unknown
DECAY="--decay 0.1"  # expect-related: launcher-option-unknown
torchrun --nproc_per_node=4 $WIDTH $DEPTH $HEADS $DECAY train.py
