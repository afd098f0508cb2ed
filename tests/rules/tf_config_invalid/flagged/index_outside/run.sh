TF_CONFIG='{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 2}}' python train.py  # error: [tf-config-invalid]
