FROM python:3.8-slim
RUN pip install torch==1.13.1 numpy
