"""Fixes of ranks that do not meet: calls out of guards, exits after calls, decisions that all ranks share."""
