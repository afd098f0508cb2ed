import json
import os

import tensorflow as tf


def task():
    config = json.loads(os.environ["TF_CONFIG"])
    return config["task"]["type"], config["task"]["index"]


def is_chief(task_type, task_id):
    return task_type is None or task_type == "chief" or (task_type == "worker" and task_id == 0)


def write_path(path, task_type, task_id):
    if is_chief(task_type, task_id):
        return path
    folder = os.path.join(os.path.dirname(path), f"worker{task_id}")
    tf.io.gfile.makedirs(folder)
    return os.path.join(folder, os.path.basename(path))


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse")
    inputs = tf.random.stateless_uniform((512, 4), seed=(1, 2))
    dataset = tf.data.Dataset.from_tensor_slices((inputs, tf.reduce_sum(inputs, 1))).batch(32, drop_remainder=True)
    model.fit(dataset, epochs=3)
    task_type, task_id = task()
    path = write_path("/models/fjord.keras", task_type, task_id)
    model.save(path)
    if not is_chief(task_type, task_id):
        tf.io.gfile.rmtree(os.path.dirname(path))


if __name__ == "__main__":
    main()
