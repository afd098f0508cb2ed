WIDTH="--hidden 1024"  # error: [launcher-option-unknown]
DEPTH="--depth 24"  # related: [launcher-option-unknown]
HEADS="--heads 16"  # related: [launcher-option-unknown]
DECAY="--decay 0.1"  # related: [launcher-option-unknown]
torchrun --nproc_per_node=4 $WIDTH $DEPTH $HEADS $DECAY train.py
