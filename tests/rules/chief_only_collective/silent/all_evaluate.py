# silent: every worker evaluates and predicts, the chief writes what came out
import numpy as np
import tensorflow as tf


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    task_type, task_id = strategy.cluster_resolver.task_type, strategy.cluster_resolver.task_id
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(6, "relu"), tf.keras.layers.Dense(1)])
        model.compile("adam", "mse", metrics=["mae"])
    lakes = np.random.default_rng(0).random((600, 6), dtype="float32")
    dataset = tf.data.Dataset.from_tensor_slices((lakes, lakes.std(1))).batch(60)
    model.fit(dataset, epochs=4)
    loss, error = model.evaluate(dataset)
    guesses = model.predict(dataset)
    if task_type == "chief" or task_id == 0:
        np.save("guesses.npy", guesses)
        print(loss, error)


if __name__ == "__main__":
    main()
