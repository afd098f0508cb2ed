"""Which ranks reach which calls.

A run of the interpreter is one process of unknown rank, with the condition of every branch kept as a value. Here the
recorded run is *simulated* for single processes of small jobs: conditions on the rank become decided, unknown
conditions that are equal on all ranks get the same truth in all processes, and the calls that all ranks must make
together are collected in order. Processes whose sequences differ do not meet.
"""
