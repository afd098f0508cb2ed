export CUDA_DEVICE_MAX_CONNECTIONS=1
STAGES="--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 1"
DEPTH="--num-layers 30"  # error: [megatron-model-shape-not-divisible]
torchrun --nproc_per_node=4 pretrain_gpt.py $STAGES $DEPTH --num-attention-heads 16 --hidden-size 1024 --micro-batch-size 1
