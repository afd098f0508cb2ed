from megatron.training import pretrain

if __name__ == "__main__":
    pretrain(None, None, None, None)
