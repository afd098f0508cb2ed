# silent: both arms save, each to a path of its own
import json
import os
import tempfile

import numpy as np
import tensorflow as tf


def main():
    task_id = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.BatchNormalization()])
        model.compile("adam", "mse")
    silks = np.random.default_rng(0).random((300, 3), dtype="float32")
    model.fit(tf.data.Dataset.from_tensor_slices((silks, silks)).batch(30), epochs=2)
    if task_id == 0:
        model.save("models/silks.keras")
        print("saved")
    else:
        with tempfile.TemporaryDirectory() as folder:
            model.save(os.path.join(folder, "silks.keras"))


if __name__ == "__main__":
    main()
