"""Probes: each looks on while a program is followed, and records the events that a few rules ask for."""
