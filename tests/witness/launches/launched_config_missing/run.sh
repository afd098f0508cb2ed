# witness: crashes with "acc.yml", on accelerate
accelerate launch --config_file configs/acc.yml train.py
