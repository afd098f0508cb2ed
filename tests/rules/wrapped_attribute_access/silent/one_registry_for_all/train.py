# silent: one function makes models, optimizers and whatever else; only the first thing is surely asked as a model
import json

from accelerate import Accelerator
from shelf import take


class Training:
    def __init__(self, options):
        self.accelerator = Accelerator()
        self.model = take(options["model"])
        print(sum(each.numel() for each in self.model.parameters()))
        self.model = self.accelerator.prepare(self.model)
        self.optimizer = self.accelerator.prepare(take(options["optimizer"], params=self.model.parameters()))

    def run(self, batches):
        for batch in batches:
            self.optimizer.zero_grad()
            self.accelerator.backward(self.model(batch).sum())
            self.optimizer.step()
            print([group["lr"] for group in self.optimizer.param_groups])


def main():
    with open("options.json") as file:
        options = json.load(file)
    Training(options).run(take(options["batches"]))


if __name__ == "__main__":
    main()
