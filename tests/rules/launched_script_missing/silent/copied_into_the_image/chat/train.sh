#!/bin/bash
deepspeed \
  main.py --deepspeed --output_dir $1
