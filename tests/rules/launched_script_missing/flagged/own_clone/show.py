print("all")
