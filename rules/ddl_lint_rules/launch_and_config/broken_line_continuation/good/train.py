import horovod.torch as hvd

hvd.init()
