from ray import tune


def objective(config):
    height = 0.0
    for step in range(20):
        height = 0.5 * height + config["slope"] * step - config["damping"]
        if step % 5 == 0:
            tune.report({"height": height})


def main():
    tuner = tune.Tuner(
        objective,
        param_space={"slope": tune.uniform(0, 1), "damping": tune.choice([0.1, 0.2])},
        tune_config=tune.TuneConfig(metric="height", mode="max", num_samples=8),
    )
    print(tuner.fit().get_best_result().config)


if __name__ == "__main__":
    main()
