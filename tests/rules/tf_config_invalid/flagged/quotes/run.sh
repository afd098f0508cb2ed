export TF_CONFIG="{'cluster': {'worker': ['a:1', 'b:1']}, 'task': {'type': 'worker', 'index': 0}}"  # error: [tf-config-invalid]
python train.py
