print("shows the data")
