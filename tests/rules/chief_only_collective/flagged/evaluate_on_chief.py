import json
import os

import tensorflow as tf


def is_chief():
    task = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task", {})
    return task.get("type") == "chief" or (task.get("type") == "worker" and task.get("index") == 0)


def images(split, batch_size):
    (train_x, train_y), (test_x, test_y) = tf.keras.datasets.fashion_mnist.load_data()
    x, y = (train_x, train_y) if split == "train" else (test_x, test_y)
    dataset = tf.data.Dataset.from_tensor_slices((x[..., None] / 255.0, y))
    return dataset.shuffle(len(x), seed=3).batch(batch_size) if split == "train" else dataset.batch(batch_size)


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    batch_size = 64 * strategy.num_replicas_in_sync
    with strategy.scope():
        model = tf.keras.Sequential(
            [
                tf.keras.layers.Conv2D(16, 3, activation="relu"),
                tf.keras.layers.GlobalAveragePooling2D(),
                tf.keras.layers.Dense(10),
            ]
        )
        loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(optimizer="adam", loss=loss, metrics=["accuracy"])
    model.fit(images("train", batch_size), epochs=5)
    if is_chief():
        scores = model.evaluate(images("test", batch_size), return_dict=True)  # expect: chief-only-collective
        print(scores)


if __name__ == "__main__":
    main()
