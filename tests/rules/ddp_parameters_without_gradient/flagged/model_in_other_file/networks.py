from torch import nn


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(500, width)
        self.mixer = nn.GRU(width, width, batch_first=True)
        self.pooler = nn.Linear(width, width)

    def forward(self, tokens):
        return self.mixer(self.embed(tokens))[0].mean(1)


class Tagger(nn.Module):
    def __init__(self, width=32, tags=9):
        super().__init__()
        self.encoder = Encoder(width)
        self.tag = nn.Linear(width, tags)

    def forward(self, tokens):
        return self.tag(self.encoder(tokens))


def build(args):
    return Tagger(args.width)
