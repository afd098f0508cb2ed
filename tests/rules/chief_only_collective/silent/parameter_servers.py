# silent: one coordinator trains, the other processes only serve it
import json
import os

import tensorflow as tf


def main():
    task = json.loads(os.environ["TF_CONFIG"])["task"]
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if task["type"] in ("worker", "ps"):
        server = tf.distribute.Server(
            resolver.cluster_spec(), job_name=task["type"], task_index=task["index"], protocol="grpc", start=True
        )
        server.join()
    else:
        strategy = tf.distribute.ParameterServerStrategy(resolver)
        with strategy.scope():
            model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
            model.compile("sgd", "mse", steps_per_execution=10)
        rows = tf.random.stateless_uniform((1000, 4), [1, 2])
        dataset = tf.data.Dataset.from_tensor_slices((rows, tf.reduce_sum(rows, 1))).shuffle(1000).repeat().batch(20)
        model.fit(dataset, epochs=3, steps_per_epoch=100)
        model.save("served.keras")


if __name__ == "__main__":
    main()
