"""Fixes of ranks that do not meet: calls out of guards, exits behind calls, decisions that all ranks share."""
