from torch import nn


class Reader(nn.Module):
    """Answers questions about a page, with or without the drawing on it."""

    def __init__(self):
        super().__init__()
        self.eyes = nn.Sequential(nn.Linear(96, 256), nn.GELU(), nn.Linear(256, 128))
        self.body = nn.Sequential(nn.Linear(128, 128), nn.GELU(), nn.Linear(128, 128))
        self.answer = nn.Linear(128, 20)

    def forward(self, text, drawing=None):
        if drawing is not None:  # related: [sharded-call-by-data]
            text = text + self.eyes(drawing)  # error: [sharded-call-by-data]
        return self.answer(self.body(text))
