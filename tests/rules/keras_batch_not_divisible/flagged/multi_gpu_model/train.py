import keras
import numpy as np
from keras.utils import multi_gpu_model

model = keras.Sequential([keras.layers.Dense(1)])
parallel = multi_gpu_model(model, gpus=8)
parallel.compile("adam", "mse")
parallel.fit(np.zeros((300, 16)), np.zeros((300, 1)), batch_size=100)  # error: [keras-batch-not-divisible]
