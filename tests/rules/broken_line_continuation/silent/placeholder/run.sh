python train.py \
    --epochs 3

# The model
MODEL=<PATH_OF_THE_MODEL>
# The second run
python train.py \
    --epochs 4 \
    --model $MODEL
