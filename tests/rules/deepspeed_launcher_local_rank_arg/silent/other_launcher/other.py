print("start something else")
