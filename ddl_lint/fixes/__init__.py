"""Fixes: edits built from the places of a program, applied until nothing changes, written without losing anything."""
