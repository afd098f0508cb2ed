import json
import os

import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": ["a:2222", "b:2222"]}, "task": {"type": "worker", "index": int(os.environ["INDEX"])}})
print(strategy)
