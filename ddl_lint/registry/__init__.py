"""The rules that are installed: found, read and chosen."""
