accelerate launch --config_file acc.yaml --num_processes $N train.py
