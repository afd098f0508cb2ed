CUDA_VISIBLE_DEVICES=2,3 deepspeed --launcher slurm --num_gpus 2 train.py
