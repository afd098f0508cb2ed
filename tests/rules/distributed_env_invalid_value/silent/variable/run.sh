export NCCL_DEBUG=$LEVEL MASTER_PORT=$((20000 + RANDOM))
torchrun train.py
