"""What a script gets that reads a file with settings."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from ddl_lint.jobs.job import Job, JobPart
from ddl_lint.jobs.settings_files import SettingsFiles
from ddl_lint.program.values import Alternatives, ClassRef, Const, Items, Rank, Setting, Table, Value
from ddl_lint.source.span import Location

_FILES = {
    "configs/a.yaml": "mode: ddp\narch: Small\nmodel:\n  depth: 18\n  layers: [1, 2]\nlocal_rank: 0\nddp: false\n",
    "configs/b.yaml": "mode: fsdp\narch: Large\nmodel:\n  depth: 50\n",
    "configs/c.json": '{"mode": "json"}',
    "configs/d.toml": 'mode = "toml"\n',
    "models.py": "class Small: pass\nclass Large: pass\n",
}


@pytest.fixture
def follow(tmp_path: Path, follow_project: Callable[..., Any]) -> Callable[..., Any]:
    """Follows a program that lies beside the files; `launches` are the options that launches give it."""

    def run(program: str, *launches: dict[str, str]) -> Any:
        for name, text in _FILES.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        root = PurePosixPath(tmp_path.as_posix())
        script = (root / "main.py").as_posix()
        given = tuple(
            Job(script, Location("run.sh", 0, 0), options={n: JobPart(v) for n, v in options.items()}, is_whole=True)
            for options in launches
        )
        source = f"import torch\n{_BEFORE}{textwrap.dedent(program)}\ntorch.save(x, 'x')\n"
        project = {"main.py": source, "models.py": _FILES["models.py"]}
        files = SettingsFiles(tmp_path, {script: given} if given else {})
        return follow_project(project, names=["main"], root=root, settings_files=files)

    return run


@pytest.fixture
def read(follow: Callable[..., Any]) -> Callable[..., Value]:
    """The value of `x` at the end of such a program; `launches` are the files that launches give as `--config`."""

    def value(program: str, *launches: str) -> Value:
        return follow(program, *({"config": name} if name else {} for name in launches)).saved()

    return value


_BEFORE = """\
import argparse, json, os, tomllib, yaml
from pathlib import Path
from easydict import EasyDict
from omegaconf import OmegaConf
import models

parser = argparse.ArgumentParser()
parser.add_argument("--config", default="configs/a.yaml")
args = parser.parse_args()
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("yaml.safe_load(open('configs/a.yaml'))['mode']", "ddp"),
        ("yaml.load(open('configs/a.yaml'), Loader=yaml.FullLoader)['model']['depth']", 18),
        ("yaml.safe_load(open('configs/a.yaml').read())['mode']", "ddp"),
        ("yaml.safe_load(Path('configs/a.yaml').read_text())['mode']", "ddp"),
        ("yaml.safe_load(Path('configs/a.yaml').open())['mode']", "ddp"),
        ("yaml.safe_load(open(os.path.join(os.path.dirname(__file__), 'configs', 'a.yaml')))['mode']", "ddp"),
        ("yaml.safe_load(open(f'{Path(__file__).parent}/configs/a.yaml'))['mode']", "ddp"),
        ("yaml.safe_load(open(Path(__file__).parent / 'configs' / 'a.yaml'))['mode']", "ddp"),
        ("json.load(open('configs/c.json'))['mode']", "json"),
        ("json.loads(Path('configs/c.json').read_text())['mode']", "json"),
        ("tomllib.load(open('configs/d.toml', 'rb'))['mode']", "toml"),
        ("OmegaConf.load('configs/a.yaml').model.depth", 18),
        ("OmegaConf.load('configs/a.yaml')['model'].get('depth', 3)", 18),
        ("OmegaConf.load('configs/a.yaml').get('width', 3)", 3),
        ("OmegaConf.to_container(OmegaConf.load('configs/a.yaml'))['mode']", "ddp"),
        ("EasyDict(yaml.safe_load(open('configs/a.yaml'))).model.depth", 18),
        ("argparse.Namespace(**yaml.safe_load(open('configs/a.yaml'))).mode", "ddp"),
    ],
)
def test_a_file_at_a_known_path_says_what_holds(read: Callable[..., Value], expression: str, expected: object) -> None:
    assert read(f"x = {expression}") == Const(expected)


def test_the_value_has_its_place(read: Callable[..., Value]) -> None:
    found = read("x = yaml.safe_load(open('configs/a.yaml'))['mode']")
    assert isinstance(found, Const) and found.location is not None
    text = _FILES["configs/a.yaml"]
    assert found.location.path.endswith("/configs/a.yaml")
    assert text[found.location.start : found.location.end] == "ddp"


def test_it_is_known_in_functions_and_after_a_write(read: Callable[..., Value]) -> None:
    program = """
        def load(path):
            with open(path) as file:
                return EasyDict(yaml.load(file, Loader=yaml.SafeLoader))

        def change(config):
            config.mode = "dp"
            setattr(config.model, "width", 4)

        config = load("configs/a.yaml")
        change(config)
        config.model.depth += 1
        x = [config.mode, config.model.depth, config.model.width]
        """
    assert read(program) == Items("list", (Const("dp"), Const(19), Const(4)))


def test_a_class_is_chosen_by_name(read: Callable[..., Value]) -> None:
    found = read("x = getattr(models, yaml.safe_load(open('configs/b.yaml'))['arch'])")
    assert isinstance(found, ClassRef) and found.definition.name == "Large"


def test_no_file_says_the_rank_or_whether_the_program_is_distributed(read: Callable[..., Value]) -> None:
    assert read("x = yaml.safe_load(open('configs/a.yaml'))['local_rank']") == Rank("local")
    assert read("x = yaml.safe_load(open('configs/b.yaml'))['mode']") == Const("fsdp")
    assert read("x = yaml.safe_load(open('configs/a.yaml'))['ddp']") == Setting("ddp", "field", Const(False))


_BY_OPTION = "config = yaml.safe_load(open(args.config))\nx = config['model']['depth']"


def test_the_default_of_an_option_gives_settings(read: Callable[..., Value]) -> None:
    assert read(_BY_OPTION) == Setting("model.depth", "field", Const(18))


@pytest.mark.parametrize("path", ["os.path.join('configs', args.name)", "f'configs/{args.name}'"])
def test_so_does_a_path_with_one_in_it(read: Callable[..., Value], path: str) -> None:
    program = "parser.add_argument('--name', default='b.yaml')\nargs = parser.parse_args()\n"
    assert read(f"{program}x = yaml.safe_load(open({path}))['mode']") == Setting("mode", "field", Const("fsdp"))


def _named(value: Value) -> dict[object, object]:
    """What a choice comes to by the file that is given; for none of those that are known under None."""
    assert isinstance(value, Alternatives)
    found: dict[object, object] = {}
    for labels, option in value.options:
        given = [condition for condition, truth in labels if truth]
        name = given[0].operands[1].value if given else None  # type: ignore[union-attr]
        found[name] = option.value if isinstance(option, Const) else option
    return found


@pytest.mark.parametrize(
    ("launches", "expected"),
    [
        (["configs/b.yaml"], {"configs/b.yaml": 50, "configs/a.yaml": 18}),
        (["configs/a.yaml", "configs/b.yaml"], {"configs/a.yaml": 18, "configs/b.yaml": 50}),
        ([""], {"configs/a.yaml": 18}),
        (["/elsewhere/c.yaml"], {"configs/a.yaml": 18}),
    ],
)
def test_launches_choose_between_files(
    read: Callable[..., Value], launches: list[str], expected: dict[str, int]
) -> None:
    assert _named(read(_BY_OPTION, *launches)) == {**expected, None: Setting("model.depth", "field")}


def test_what_only_one_of_the_files_has_may_be_there(read: Callable[..., Value]) -> None:
    program = "config = yaml.safe_load(open(args.config))\nx = config['model']['layers']"
    found = _named(read(program, "configs/b.yaml"))
    assert found["configs/a.yaml"] == Items("list", (Const(1), Const(2))) and len(found) == 2
    table = read("x = yaml.safe_load(open(args.config))", "configs/b.yaml")
    assert isinstance(table, Table) and table.open


@pytest.mark.parametrize(
    "program",
    [
        "open('configs/a.yaml', 'w').write('mode: other')\nx = yaml.safe_load(open('configs/a.yaml'))",
        "x = yaml.safe_load(open('configs/missing.yaml'))",
        "x = yaml.safe_load(open(input()))",
        "x = yaml.safe_load(open('../outside.yaml'))",
        "x = OmegaConf.load('configs')",
    ],
)
def test_other_files_are_unknown(read: Callable[..., Value], program: str) -> None:
    assert not isinstance(read(program), (Table, Const))


# --- what the command line may change ----------------------------------------------------------------------------


def test_the_command_line_may_change_what_is_merged_with_it(read: Callable[..., Value]) -> None:
    program = "x = OmegaConf.merge(OmegaConf.load('configs/a.yaml'), OmegaConf.from_cli()).model.depth"
    assert read(program) == Setting("model.depth", "argument", Const(18))


def test_of_two_files_the_later_counts(read: Callable[..., Value]) -> None:
    program = """
        merged = OmegaConf.merge(OmegaConf.load('configs/a.yaml'), OmegaConf.load('configs/b.yaml'))
        x = [merged.mode, merged.model.depth, merged.model.layers[0]]
        """
    assert read(program) == Items("list", (Const("fsdp"), Const(50), Const(1)))


_HYDRA = """
    import hydra

    @hydra.main(version_base=None, config_path="configs", config_name={name})
    def main(config):
        torch.save(config.model.depth, "depth")

    main()
    x = 1
    """


def test_hydra_gives_its_function_the_configuration(follow: Callable[..., Any]) -> None:
    run = follow(_HYDRA.format(name="'b'"))
    assert run.saved("depth") == Setting("model.depth", "argument", Const(50))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("'missing'", {}),
        ("NAME", {}),
        ("'b'", {"config_name": "other"}),
        ("'b'", {"config_path": "/elsewhere"}),
    ],
)
def test_hydra_may_read_other_files(follow: Callable[..., Any], name: str, options: dict[str, str]) -> None:
    assert not isinstance(follow(_HYDRA.format(name=name), options).saved("depth"), Setting)


def test_a_launch_names_the_configuration_of_hydra(follow: Callable[..., Any]) -> None:
    run = follow(_HYDRA.format(name="'b'"), {"config_name": "a"})
    assert run.saved("depth") == Setting("model.depth", "argument", Const(18))


@pytest.mark.parametrize(
    "taken",
    [
        "for key, value in config.items(): setattr(args, key, value)",
        "args.__dict__.update(config)",
        "vars(args).update(config)",
    ],
)
def test_the_options_of_a_program_become_what_a_file_says(read: Callable[..., Value], taken: str) -> None:
    program = f"parser.add_argument('--mode', default='')\nconfig = yaml.safe_load(open('configs/b.yaml'))\n{taken}\n"
    assert read(f"{program}x = args.mode") == Const("fsdp")
