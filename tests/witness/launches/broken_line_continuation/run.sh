# witness: crashes with "required: training_script"
torchrun --standalone --nproc_per_node=2
    --max_restarts=0 train.py --epochs 4
