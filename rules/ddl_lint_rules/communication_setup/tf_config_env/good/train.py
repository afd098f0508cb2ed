import json
import os

import tensorflow as tf

os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": ["a:2222", "b:2222"]}, "task": {"type": "worker", "index": int(os.environ["INDEX"])}})
strategy = tf.distribute.MultiWorkerMirroredStrategy()
print(strategy)
