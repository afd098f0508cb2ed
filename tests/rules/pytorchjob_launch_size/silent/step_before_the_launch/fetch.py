print("fetches the data")
