import json
import os

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": ["a:2222", "b:2222"]}, "task": {"type": "worker", "index": int(os.environ["INDEX"])}})  # error: [tf-config-env]
print(strategy)
