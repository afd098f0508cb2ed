import os

import numpy as np
import tensorflow as tf

RANK = int(os.environ["SLURM_PROCID"])


def callbacks():
    chosen = [tf.keras.callbacks.EarlyStopping(monitor="loss", patience=3)]
    if RANK == 0:
        chosen += [tf.keras.callbacks.BackupAndRestore("backup")]  # expect: chief-only-collective
    return chosen


def main():
    resolver = tf.distribute.cluster_resolver.SlurmClusterResolver()
    strategy = tf.distribute.MultiWorkerMirroredStrategy(cluster_resolver=resolver)
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        model.compile("adam", "mse")
    bones = np.random.default_rng(2).random((640, 4), dtype="float32")
    model.fit(tf.data.Dataset.from_tensor_slices((bones, bones[:, ::-1])).batch(32), epochs=10, callbacks=callbacks())


if __name__ == "__main__":
    main()
