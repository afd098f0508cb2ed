OPTIONS = ["--batch-size"]
