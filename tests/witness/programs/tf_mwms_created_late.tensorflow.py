# witness: crashes with "Collective ops must be configured at program startup", by itself, on tensorflow
import json
import os

os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": ["localhost:23451"]}, "task": {"type": "worker", "index": 0}})

import tensorflow as tf

ones = tf.constant([1.0, 2.0])
strategy = tf.distribute.MultiWorkerMirroredStrategy()
print("result:", float(tf.reduce_sum(ones)), strategy.num_replicas_in_sync, flush=True)
