#!/bin/bash
deepspeed --include localhost:4,5,6,7 train.py
