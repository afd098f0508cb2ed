print("times")
