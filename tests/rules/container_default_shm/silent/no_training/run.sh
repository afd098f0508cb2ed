docker run --rm -it --gpus all img bash
