print("shows the settings")
