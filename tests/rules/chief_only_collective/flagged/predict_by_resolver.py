import numpy as np
import tensorflow as tf


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    resolver = strategy.cluster_resolver
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(2)])
        model.compile(tf.keras.optimizers.SGD(0.01), "mae")
    frosts = np.random.default_rng(5).random((2000, 6), dtype="float32")
    dataset = tf.data.Dataset.from_tensor_slices((frosts, frosts[:, :2])).batch(100)
    model.fit(dataset, epochs=2)
    if resolver.task_type in (None, "chief") and resolver.task_id in (None, 0):
        guesses = model.predict(frosts[:200])  # expect: chief-only-collective
        np.save("frosts.npy", guesses)


if __name__ == "__main__":
    main()
