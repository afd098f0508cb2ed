"""Predict the traffic of a harbour on several machines; TF_CONFIG names the workers.

TF_CONFIG='{"cluster": {"worker": ["a:2222", "b:2222"]}, "task": {"type": "worker", "index": 0}}' \\
    python train_harbour.py counts.npy
"""

import argparse
import json
import os

import numpy as np
import tensorflow as tf
from paths import is_chief, worker_path


def read(path: str) -> tuple[np.ndarray, np.ndarray]:
    """Windows of 24 hours with 6 counts each, and the ships of the next hour."""
    counts = np.load(path).astype("float32")
    windows = np.stack([counts[start : start + 24] for start in range(len(counts) - 24)])
    return windows, counts[24:, 0]


def build() -> tf.keras.Model:
    return tf.keras.Sequential(
        [
            tf.keras.layers.Input((24, 6)),
            tf.keras.layers.Conv1D(32, 5, padding="same"),
            tf.keras.layers.BatchNormalization(),
            tf.keras.layers.ReLU(),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(1),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("counts")
    parser.add_argument("--out", default="models/harbour.keras")
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()

    task = json.loads(os.environ["TF_CONFIG"])["task"]
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    batch_size = 64 * strategy.num_replicas_in_sync

    windows, ships = read(args.counts)
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    dataset = tf.data.Dataset.from_tensor_slices((windows, ships)).shuffle(len(ships), seed=1)
    dataset = dataset.batch(batch_size, drop_remainder=True).with_options(options)

    with strategy.scope():
        model = build()
        model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="mse", metrics=["mae"])
    history = model.fit(dataset, epochs=args.epochs, verbose=2 if is_chief(task) else 0)

    if is_chief(task):  # related: [chief-only-collective]
        model.save(worker_path(args.out, task))  # error: [chief-only-collective]
        print("last error", history.history["mae"][-1])


if __name__ == "__main__":
    main()
