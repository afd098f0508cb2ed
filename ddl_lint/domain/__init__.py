"""A training run in the field's own terms: quantities, files, and typed views of what a program makes.

It is made of what the analysis knows of values and events; rules ask it, and derive no such facts by themselves.
"""
