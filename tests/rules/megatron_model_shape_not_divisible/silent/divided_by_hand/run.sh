export CUDA_DEVICE_MAX_CONNECTIONS=1
SHAPE="
    --pipeline-model-parallel-size 4 \
    --pipeline-stage-blocks 6,8,8,6 \
    --num-layers 30
"
torchrun --nproc_per_node=4 pretrain_gpt.py $SHAPE --num-attention-heads 16 --hidden-size 1024 --micro-batch-size 1
