def to_gpu(thing):
    return thing.cuda()  # error: [set-device-missing-before-nccl]
