def to_gpu(thing):
    return thing.cuda()  # expect: set-device-missing-before-nccl
