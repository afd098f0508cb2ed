"""What Python's classes and standard library do, beside what API models say."""
