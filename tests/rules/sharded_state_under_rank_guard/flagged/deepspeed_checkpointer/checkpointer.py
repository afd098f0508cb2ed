from pathlib import Path


class Checkpointer:
    def __init__(self, engine, out):
        self.engine = engine
        self.out = Path(out)

    def save(self, step, best):
        self.engine.save_checkpoint(str(self.out), tag=f"step{step}", client_state={"step": step, "best": best})
