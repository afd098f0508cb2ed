import sys

import tensorflow as tf

try:
    chosen = [int(part) for part in sys.argv[1].split(",")]
    tf.config.set_visible_devices([tf.config.list_physical_devices("GPU")[index] for index in chosen], "GPU")
    print(len(tf.config.list_logical_devices("GPU")), "devices")
except ValueError:
    tf.config.set_visible_devices([], "GPU")
