accelerate launch --multi_gpu --num_processes $N grpo.py
