print("another one")
