#!/bin/bash
deepspeed --hostfile hosts train.py
