from http.server import BaseHTTPRequestHandler, HTTPServer

import torch
from megatron.core import mpu
from megatron.training.initialize import initialize_megatron

GENERATE, BEAM = 0, 1


def generate(model, tokens):
    torch.distributed.broadcast(tokens, src=0)
    scores = model(tokens)
    torch.distributed.all_reduce(scores)
    return scores


class Server(BaseHTTPRequestHandler):
    model = None

    @staticmethod
    def send_do_generate():
        choice = torch.tensor([GENERATE], dtype=torch.long, device="cuda")
        torch.distributed.broadcast(choice, 0)

    def do_PUT(self):
        self.send_do_generate()
        scores = generate(self.model, torch.zeros(16, dtype=torch.long, device="cuda"))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(scores.argmax().item()).encode())


def main():
    initialize_megatron()
    model = torch.nn.Embedding(50, 50).cuda()
    if mpu.is_pipeline_first_stage() and mpu.get_tensor_model_parallel_rank() == 0:
        Server.model = model
        HTTPServer(("0.0.0.0", 5000), Server).serve_forever()
    while True:
        choice = torch.zeros(1, dtype=torch.long, device="cuda")
        torch.distributed.broadcast(choice, 0)
        if choice.item() == GENERATE:
            generate(model, torch.zeros(16, dtype=torch.long, device="cuda"))


if __name__ == "__main__":
    main()
