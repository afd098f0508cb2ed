pip install deepspeed==0.14.0 torch==2.4.0  # error: [deepspeed-torch-incompatible]
