import keras
from keras.utils import multi_gpu_model  # error: [tf-removed-api]

model = keras.Sequential([keras.layers.Dense(1)])
parallel = multi_gpu_model(model, gpus=2)
parallel.compile("adam", "mse")
