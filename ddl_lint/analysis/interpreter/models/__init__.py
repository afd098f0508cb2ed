"""What API models say of a call: its conditions, its result, what becomes of both."""
