accelerate launch --config_file /etc/acc.yaml train.py
