CUDA_VISIBLE_DEVICES=0,1 deepspeed --num_gpus 2 train.py
