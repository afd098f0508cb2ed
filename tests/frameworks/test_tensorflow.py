"""What the models of TensorFlow and Keras make of small programs, under each name by which Keras is imported."""

from __future__ import annotations

import textwrap

import pytest

from ddl_lint.analysis.interpreter.project.codebase import Codebase, Source
from ddl_lint.analysis.ranks.together import is_together
from ddl_lint.analysis.runs import Analyzer, RunCheck
from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.frameworks.model import ClassModel, FunctionModel
from ddl_lint.lowering import lower
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Alternatives, Apply, Const, Flag, Object, Rank, Unknown, Value, WorldSize
from ddl_lint.source import Document
from shipped import shipped_index

INDEX = shipped_index()

IMPORTS = "import json, os, sys\nimport tensorflow as tf\nimport horovod.tensorflow.keras as hvd\n"
MODEL = """
strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
"""


def run(program: str) -> RunView:
    """The run of a script."""
    text = f"{IMPORTS}{textwrap.dedent(program)}\nsys.stdout.flush()\n"

    def read(source: Source):
        return lower(Document(source.path, text), source.name, is_package=False).module

    codebase = Codebase([Source("/project/main.py", "main", False)], read)
    project_context = ProjectContext(INDEX, codebase, names=["main"])
    views = Analyzer[RunView](INDEX).run(project_context, RunCheck(lambda run: run))
    (found,) = [view for view in views if view.is_script]
    return found


def event(program: str, kind: str) -> Event:
    """The last event of a kind."""
    return run(program).events(kind)[-1]


def value(expression: str) -> Value:
    """What an expression is worth after a model was built under a strategy."""
    saved = event(f"{MODEL}\ntf.saved_model.save({expression}, 'x')\n", "save")
    return saved.operands["object"]


def together(program: str, api: str) -> bool:
    """Whether all workers must make the last call of this name."""
    view = run(program)
    (*_, call) = [event for event in view.all_events if event.api.rpartition(".")[2] == api]
    return is_together(call, view, INDEX) is not None


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["keras", "tf_keras", "tensorflow.keras", "tensorflow.python.keras", "keras.src"])
@pytest.mark.parametrize(
    ("member", "canonical"),
    [
        ("Model", "keras.Model"),
        ("models.Model", "keras.Model"),
        ("Sequential", "keras.Sequential"),
        ("layers.BatchNormalization", "keras.layers.BatchNormalization"),
        ("layers.experimental.SyncBatchNormalization", "keras.layers.SyncBatchNormalization"),
        ("optimizers.Adam", "keras.optimizers.Adam"),
        ("optimizers.legacy.Adam", "keras.optimizers.Adam"),
        ("callbacks.ModelCheckpoint", "keras.callbacks.ModelCheckpoint"),
        ("models.load_model", "keras.models.load_model"),
        ("utils.multi_gpu_model", "keras.utils.multi_gpu_model"),
        ("distribution.DataParallel", "keras.distribution.DataParallel"),
    ],
)
def test_keras_has_many_names(name: str, member: str, canonical: str) -> None:
    assert INDEX.canonical(f"{name}.{member}") == canonical


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("tensorflow.compat.v1.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.compat.v2.data.Dataset", "tensorflow.data.Dataset"),
        ("tensorflow.compat.v1.train.Server", "tensorflow.distribute.Server"),
        ("tensorflow.compat.v1.gfile.MakeDirs", "tensorflow.gfile.MakeDirs"),
        ("tensorflow.python.keras.engine.training.Model", "keras.Model"),
        ("keras.engine.topology.Layer", "keras.layers.Layer"),
        ("keras.layers.normalization.BatchNormalization", "keras.layers.BatchNormalization"),
        ("tensorflow.contrib.distribute.MirroredStrategy", "tensorflow.distribute.MirroredStrategy"),
        ("tensorflow.distribute.experimental.ParameterServerStrategy", "tensorflow.distribute.ParameterServerStrategy"),
    ],
)
def test_old_names(name: str, canonical: str) -> None:
    assert INDEX.canonical(name) == canonical


def test_both_packages_make_a_file_worth_reading() -> None:
    assert {"tensorflow", "keras", "tf_keras"} <= INDEX.packages


# --- strategies -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "several"),
    [
        ("MirroredStrategy", False),
        ("OneDeviceStrategy", False),
        ("TPUStrategy", False),
        ("ParameterServerStrategy", False),
        ("experimental.CentralStorageStrategy", False),
        ("experimental.TPUStrategy", False),
        ("MultiWorkerMirroredStrategy", True),
        ("experimental.MultiWorkerMirroredStrategy", True),
    ],
)
def test_only_some_strategies_span_processes(name: str, several: bool) -> None:
    model = INDEX.class_(f"tensorflow.distribute.{name}")
    assert model is not None
    assert model.kind == "strategy" and model.traits["multi_process"] is several
    made = event(f"s = tf.distribute.{name}(0)", "delegate").result
    assert isinstance(made, Object) and made.traits["multi_process"] is several


def test_the_parameters_of_the_experimental_strategy_stand_in_another_order() -> None:
    program = "s = tf.distribute.experimental.MultiWorkerMirroredStrategy(1, 2)"
    made = event(program, "delegate").result
    assert isinstance(made, Object) and made.given["communication"] == Const(1)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("strategy.cluster_resolver.task_id", Rank("global")),
        ("strategy.num_replicas_in_sync", WorldSize("global")),
        ("tf.distribute.OneDeviceStrategy('cpu').num_replicas_in_sync", Const(1)),
        ("json.loads(os.environ['TF_CONFIG'])['task']['index']", Rank("global")),
        ("json.loads(os.environ.get('TF_CONFIG') or '{}').get('task', {}).get('index', 0)", Rank("global")),
        ("json.loads(json.dumps({'task': {'index': 3}}))['task']['index']", Const(3)),
        ("json.loads('{\"task\": [1, {\"index\": 3}]}')['task'][1]['index']", Const(3)),
        ("tf.distribute.cluster_resolver.SlurmClusterResolver().get_task_info()[1]", Rank("global")),
    ],
)
def test_who_am_i(expression: str, expected: Value) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "strategy.cluster_resolver.task_type",
        "tf.distribute.cluster_resolver.TFConfigClusterResolver().task_type",
        "json.loads(os.environ['TF_CONFIG'])['task']['type']",
    ],
)
def test_the_first_worker_may_be_called_chief(expression: str) -> None:
    condition = Apply("and", (Flag("chief"), Apply("==", (Rank("global"), Const(0)))))
    assert value(expression) == Alternatives(
        (
            (frozenset({(condition, True)}), Const("chief")),
            (frozenset({(condition, False)}), Const("worker")),
        )
    )


@pytest.mark.parametrize(
    "program",
    [
        "import tensorflow as tf\nx = tf.rank([1])\n",
        "from tensorflow import rank\nx = rank([1])\n",
        "import tensorflow.compat.v1 as tf1\nx = tf1.rank([1])\n",
    ],
)
def test_the_rank_of_a_tensor_is_no_rank(program: str) -> None:
    saved = event(f"{program}\nif x == 0:\n    tf.io.gfile.remove('x')", "remove_files")
    (branch,) = [node for node in saved.context.chain() if node.kind == "branch"]
    assert isinstance(branch.value, (Apply, Unknown))
    assert Rank("global") not in getattr(branch.value, "operands", ())


# --- what all workers must do -----------------------------------------------------------------------------------------

CALLS = [
    ("model.fit([1])", "fit"),
    ("model.evaluate([1])", "evaluate"),
    ("model.predict([1])", "predict"),
    ("model.train_on_batch([1])", "train_on_batch"),
    ("model.save('m.keras')", "save"),
    ("model.save_weights('m.h5')", "save_weights"),
    ("model.export('m')", "export"),
    ("tf.keras.models.save_model(model, 'm')", "save_model"),
    ("tf.saved_model.save(model, 'm')", "save"),
    ("strategy.run(print)", "run"),
    ("strategy.reduce('SUM', 1, axis=None)", "reduce"),
    ("strategy.gather([1], axis=0)", "gather"),
    ("tf.keras.callbacks.ModelCheckpoint('m')", "ModelCheckpoint"),
]


@pytest.mark.parametrize(("call", "name"), CALLS, ids=[call for call, _ in CALLS])
def test_calls_of_a_strategy_that_spans_processes(call: str, name: str) -> None:
    assert together(f"{MODEL}\n{call}\n", name)
    assert not together(f"{MODEL.replace('MultiWorkerMirrored', 'Mirrored')}\n{call}\n", name)


@pytest.mark.parametrize(
    "call", ["model.load_weights('m.h5')", "tf.keras.models.load_model('m')", "tf.train.Checkpoint().restore('m')"]
)
def test_reading_is_everybodys_own_affair(call: str) -> None:
    assert not event(f"{MODEL}\n{call}\n", "load").collective_when


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ("model=tf.keras.Sequential([tf.keras.layers.Dense(1)])", False),
        ("model=tf.keras.Sequential([tf.keras.layers.BatchNormalization()])", True),
        ("model=tf.keras.applications.ResNet50()", True),
        ("mean=tf.keras.metrics.Mean()", True),
        ("step=tf.Variable(0)", False),
    ],
)
def test_a_checkpoint_is_saved_together_when_it_holds_statistics(held: str, expected: bool) -> None:
    program = f"{MODEL}\ncheckpoint = tf.train.Checkpoint({held})\n"
    assert together(f"{program}checkpoint.save('c')\n", "save") is expected
    assert together(f"{program}tf.train.CheckpointManager(checkpoint, 'c', 3).save()\n", "save") is expected


def test_layers_that_are_added_later_count() -> None:
    program = f"{MODEL}\nmodel.add(tf.keras.layers.BatchNormalization())\ntf.train.Checkpoint(m=model).save('c')\n"
    assert together(program, "save")


def test_mathematics_is_no_communication() -> None:
    program = "x = tf.reduce_mean(tf.gather([1], 0)) + tf.math.reduce_sum(tf.broadcast_to(1, [2]))\nprint(x)\n"
    assert not run(program).events("communicate", "collective")


# --- events -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "kind", "path"),
    [
        ("tf.io.gfile.makedirs('p')", "make_directory", "p"),
        ("tf.io.gfile.mkdir('p')", "make_directory", "p"),
        ("tf.compat.v1.gfile.MakeDirs('p')", "make_directory", "p"),
        ("tf.summary.create_file_writer('p')", "make_directory", "p"),
        ("tf.io.gfile.rmtree('p')", "remove_files", "p"),
        ("tf.io.gfile.copy('o', 'p', overwrite=True)", "write_file", "p"),
        ("tf.gfile.Rename('o', 'p')", "write_file", "p"),
        ("tf.io.gfile.GFile('p', 'w')", "write_file", "p"),
        ("tf.io.write_file('p', 'text')", "write_file", "p"),
        ("tf.io.TFRecordWriter('p')", "write_file", "p"),
        ("tf.keras.callbacks.CSVLogger('p')", "write_file", "p"),
        ("tf.train.Saver().save(0, 'p')", "save", "p"),
        ("tf.train.Checkpoint().save('p')", "save", "p"),
        ("tf.train.Checkpoint().restore('p')", "load", "p"),
        ("tf.keras.Model().load_weights('p')", "load", "p"),
        ("tf.keras.models.load_model('p')", "load", "p"),
    ],
)
def test_files(call: str, kind: str, path: str) -> None:
    assert event(f"x = {call}\nprint(x)\n", kind).operands["path"] == Const(path)


def test_a_custom_loop() -> None:
    view = run(
        """
        dataset = tf.data.Dataset.from_tensor_slices([1, 2]).shuffle(10).batch(2, drop_remainder=True).prefetch(1)
        optimizer = tf.keras.optimizers.SGD(0.1)
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(1)
            def call(self, x): return self.dense(x)
        model = Net()
        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        for x in dataset:
            step(x)
        """
    )
    (built,) = view.events("build_optimizer")
    assert built.operands["learning_rate"] == Const(0.1)
    (forward,), (backward,), (stepped,) = (view.events(kind) for kind in ("forward", "backward", "optimizer_step"))
    assert isinstance(forward.operands["model"], Object) and forward.operands["model"].api == "keras.Model"
    assert "loss" in backward.operands
    assert stepped.operands["optimizer"] is built.result
    (iterate,) = view.events("iterate")
    batches = iterate.operands["iterable"]
    assert isinstance(batches, Object) and batches.kind == "iterable_dataset"
    batched = batches.given["source"]
    assert isinstance(batched, Object)
    assert (batched.given["batch_size"], batched.given["drop_remainder"]) == (Const(2), Const(True))


def test_a_share_of_the_data_is_known_as_one() -> None:
    program = "d = tf.data.Dataset.list_files('*').shard(hvd.size(), hvd.rank())\nfor x in d: print(x)\n"
    shared = event(program, "iterate").operands["iterable"]
    assert isinstance(shared, Object)
    assert shared.traits["shards_data"] and shared.given["index"] == Rank("global")


def test_functions_under_a_strategy_are_followed() -> None:
    program = f"{MODEL}\ndef replica(x):\n    tf.io.gfile.remove('x')\nstrategy.run(replica, args=(1,))\n"
    assert run(program).has("remove_files")


def test_horovod_wraps_what_keras_makes() -> None:
    program = "opt = hvd.DistributedOptimizer(optimizer=tf.keras.optimizers.Adam(0.1 * hvd.size()))\nprint(opt)\n"
    prepared = event(program, "prepare")
    wrapped = prepared.operands["object"]
    assert isinstance(wrapped, Object) and wrapped.api == "keras.optimizers.Adam"
    assert isinstance(prepared.result, Object) and prepared.result.traits["synchronizes_gradients"]


def test_the_models_speak_of_no_default_group() -> None:
    """Rules about PyTorch's process groups must have nothing to hold on to."""
    for name, model in INDEX.models.items():
        if name.partition(".")[0] in ("tensorflow", "keras"):
            calls: list[FunctionModel] = []
            if isinstance(model, FunctionModel):
                calls = [model]
            elif isinstance(model, ClassModel):
                calls = [model.constructor, *model.methods.values(), *([model.call] if model.call else [])]
            for call in calls:
                assert call.event not in ("init_process_group", "build_loader", "build_sampler"), call.name
                assert not call.requires, call.name
                assert call.event != "collective" or call.collective_when == "multi_worker_strategy", call.name
