print("adapts a model")
