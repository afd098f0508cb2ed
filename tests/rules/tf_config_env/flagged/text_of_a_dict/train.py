import os

import tensorflow as tf

os.environ["TF_CONFIG"] = str({"cluster": {"worker": ["a:2222", "b:2222"]}, "task": {"type": "worker", "index": int(os.environ["INDEX"])}})  # error: [tf-config-env]
strategy = tf.distribute.MultiWorkerMirroredStrategy()
print(strategy)
