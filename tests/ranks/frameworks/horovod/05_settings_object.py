import json
import os

import horovod.torch as hvd


def read_settings(path):
    settings = None
    if hvd.rank() == 0:
        with open(path) as handle:
            settings = json.load(handle)
        settings["run"] = os.environ.get("RUN_NAME", "unnamed")
    return hvd.broadcast_object(settings, root_rank=0)


def main():
    hvd.init()
    settings = read_settings("settings.json")
    if settings.get("check"):
        everyone = hvd.allgather_object(hvd.rank())
        if hvd.rank() == 0:
            print(everyone)
    hvd.shutdown()


if __name__ == "__main__":
    main()
