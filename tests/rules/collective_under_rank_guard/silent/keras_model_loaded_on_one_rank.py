# silent: rank 0 reads the model, the others build it; all of them train it
import horovod.keras as hvd
import keras
import numpy as np


def build():
    model = keras.Sequential([keras.layers.Input((6,)), keras.layers.Dense(1)])
    model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size())), loss="mse")
    return model


def main():
    hvd.init()
    rows = np.random.default_rng(hvd.rank()).random((512, 6), dtype="float32")
    if hvd.rank() == 0:
        model = hvd.load_model("first.keras")
    else:
        model = build()
    callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
    model.fit(rows, rows.max(1), batch_size=32, epochs=2, callbacks=callbacks)


if __name__ == "__main__":
    main()
