FROM nvidia/cuda:11.8.0-devel-ubuntu22.04
WORKDIR /app
COPY --chown=1000 upstream/main.py \
  chat/train.sh ./
ENTRYPOINT ["bash", "./train.sh"]
