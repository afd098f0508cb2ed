"""Finds training by Keras 3 under a strategy for several workers."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, RunView, called_name, is_keras_3, named, strategies
from ddl_lint.rulekit.events import Fit, Forward


def check(run: RunView) -> Iterable[Finding]:
    """One finding per strategy, where the training starts."""
    for made in strategies(run, "configures_collectives"):
        calls = (each for each in run.events(Fit, Forward) if each.collective_when is not None)
        fits = (each for each in calls if run.api.framework(each.api) == "keras")
        fit = next((each for each in fits if each.order > made.order), None)
        if fit is not None and is_keras_3(run, fit.location.path):
            call = named("fit", called_name, run, fit.location)
            message = f"Keras 3 does not support `{call}` under a strategy for several workers"
            yield Finding(message, fit.location, (Evidence("the strategy is created here", made.location),))
