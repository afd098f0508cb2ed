import json
import os

import tensorflow as tf

TASK = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task", {"type": "worker", "index": 0})


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(16), tf.keras.layers.Dense(1)])
        model.compile(optimizer="adam", loss="mse", metrics=["mae"])
    chief = TASK["index"] == 0
    folder = "checkpoints" if chief else f"/tmp/worker{TASK['index']}"
    callbacks = [
        tf.keras.callbacks.ModelCheckpoint(os.path.join(folder, "{epoch}.weights.h5"), save_weights_only=True),
        tf.keras.callbacks.ReduceLROnPlateau(monitor="loss"),
    ]
    inputs = tf.random.stateless_uniform((128, 6), seed=(4, 4))
    dataset = tf.data.Dataset.from_tensor_slices((inputs, tf.reduce_mean(inputs, 1))).batch(16)
    model.fit(dataset, epochs=3, callbacks=callbacks, verbose=1 if chief else 0)


if __name__ == "__main__":
    main()
