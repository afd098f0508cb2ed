"""Predicts the water levels of a river from the gauges upstream."""
