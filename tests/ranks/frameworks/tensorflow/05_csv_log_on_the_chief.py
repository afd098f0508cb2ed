import csv
import json
import os

import tensorflow as tf


def main():
    index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse")
    inputs = tf.random.stateless_uniform((64, 5), seed=(2, 0))
    dataset = tf.data.Dataset.from_tensor_slices((inputs, tf.reduce_sum(inputs, 1))).batch(8)
    history = model.fit(dataset, epochs=4)
    if index == 0:
        with open("history.csv", "w", newline="") as handle:
            writer = csv.writer(handle)
            for epoch, loss in enumerate(history.history["loss"]):
                writer.writerow([epoch, loss])


if __name__ == "__main__":
    main()
