# witness: crashes with "unknown keys", on accelerate
accelerate launch --config_file acc.yaml train.py
