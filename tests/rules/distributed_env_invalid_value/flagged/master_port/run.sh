export MASTER_PORT=tcp://29500  # error: [distributed-env-invalid-value]
python train.py
