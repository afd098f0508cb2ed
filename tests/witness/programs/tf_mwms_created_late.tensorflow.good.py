import json
import os

os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": ["localhost:23451"]}, "task": {"type": "worker", "index": 0}})

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
ones = tf.constant([1.0, 2.0])
print("result:", float(tf.reduce_sum(ones)), strategy.num_replicas_in_sync, flush=True)
