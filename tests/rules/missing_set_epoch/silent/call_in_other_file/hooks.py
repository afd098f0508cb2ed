class EpochHook:
    """Called by the loop before each epoch."""

    def __init__(self, loader):
        self.sampler = loader.sampler

    def before_epoch(self, epoch):
        self.sampler.set_epoch(epoch)
