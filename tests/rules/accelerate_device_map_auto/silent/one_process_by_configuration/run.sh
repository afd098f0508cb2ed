accelerate launch --config_file settings/one.yaml tune.py
