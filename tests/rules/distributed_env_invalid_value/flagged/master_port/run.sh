export MASTER_PORT=tcp://29500  # expect: distributed-env-invalid-value
python train.py
