import json
import os

import tensorflow as tf


def callbacks(index):
    found = [
        tf.keras.callbacks.BackupAndRestore(backup_dir="/backup" if index == 0 else f"/tmp/backup{index}"),
        tf.keras.callbacks.TerminateOnNaN(),
    ]
    if index == 0:
        found.append(tf.keras.callbacks.CSVLogger("log.csv"))
        found.append(tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs)))
    return found


def main():
    index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse")
    inputs = tf.random.stateless_uniform((64, 3), seed=(5, 5))
    dataset = tf.data.Dataset.from_tensor_slices((inputs, tf.reduce_sum(inputs, 1))).batch(8)
    model.fit(dataset, epochs=5, callbacks=callbacks(index))


if __name__ == "__main__":
    main()
