"""Finds files and configuration, and decides which findings are suppressed."""
