accelerate launch --config_file settings/eight.yaml tune.py
