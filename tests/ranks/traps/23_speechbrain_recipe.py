import sys

import speechbrain as sb
import torch
from speechbrain.utils.distributed import if_main_process, run_on_main


class Recognizer(sb.Brain):
    def compute_forward(self, batch, stage):
        return self.modules.encoder(batch.signal.to(self.device))

    def compute_objectives(self, predictions, batch, stage):
        return torch.nn.functional.mse_loss(predictions, batch.target.to(self.device))

    def on_stage_end(self, stage, stage_loss, epoch):
        if stage == sb.Stage.VALID:
            self.checkpointer.save_and_keep_only(meta={"loss": stage_loss}, min_keys=["loss"])
            if if_main_process():
                print(epoch, stage_loss)


def prepare(folder):
    print("preparing", folder)


if __name__ == "__main__":
    options_file, run_options, overrides = sb.parse_arguments(sys.argv[1:])
    sb.utils.distributed.ddp_init_group(run_options)
    run_on_main(prepare, kwargs={"folder": "birds"})
    brain = Recognizer(modules={"encoder": torch.nn.Linear(80, 80)}, run_opts=run_options)
    brain.fit(range(10), train_set=[], valid_set=[])
