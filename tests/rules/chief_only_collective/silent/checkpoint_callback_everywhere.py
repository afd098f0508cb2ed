# silent: every worker has the checkpoint callback, the chief has TensorBoard besides
import json
import os

import numpy as np
import tensorflow as tf


def main():
    task = json.loads(os.environ["TF_CONFIG"])["task"]
    chief = task["type"] == "worker" and task["index"] == 0
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
    folder = "checkpoints" if chief else f"/tmp/checkpoints-{task['index']}"
    callbacks = [
        tf.keras.callbacks.ModelCheckpoint(os.path.join(folder, "{epoch}.keras")),
        tf.keras.callbacks.BackupAndRestore("backup"),
    ]
    if chief:
        callbacks.append(tf.keras.callbacks.TensorBoard("logs"))
    silks = np.random.default_rng(0).random((300, 3), dtype="float32")
    model.fit(tf.data.Dataset.from_tensor_slices((silks, silks.max(1))).batch(30), epochs=5, callbacks=callbacks)


if __name__ == "__main__":
    main()
