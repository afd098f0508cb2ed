import sys

import horovod.torch as hvd

hvd.init()
print(hvd.rank(), sys.argv)
