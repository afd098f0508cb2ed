#!/bin/bash
sbatch --gpus=4 job.sbatch
