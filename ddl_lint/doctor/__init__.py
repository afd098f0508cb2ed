"""What the environment of a job decides: its packages, its variables, and what both mean for the code."""
