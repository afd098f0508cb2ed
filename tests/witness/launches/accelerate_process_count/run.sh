# witness: wrong, on accelerate
accelerate launch --config_file acc.yaml train.py
