from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer
from worker import train_rain

if __name__ == "__main__":
    trainer = TorchTrainer(
        train_rain,
        train_loop_config={"width": 128, "data": "/data/rain.pt"},
        scaling_config=ScalingConfig(num_workers=6),
    )
    trainer.fit()
