import torch.multiprocessing as mp


def launch(function, count, *arguments):
    """Start `count` processes of `function(index, count, *arguments)`, or call it here when one is enough."""
    if count == 1:
        function(0, 1, *arguments)
        return
    mp.spawn(function, args=(count, *arguments), nprocs=count, join=True)
