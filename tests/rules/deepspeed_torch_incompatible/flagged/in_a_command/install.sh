pip install deepspeed==0.14.0 torch==2.4.0  # expect: deepspeed-torch-incompatible
