"""Classes, methods and modules that a program chooses by their names, or keeps in tables, are followed like others."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program.values import Const, Items, Object, Setting

SAVER = """
    import torch
    class Saver:
        def __init__(self, what): self.what = what
        def run(self): torch.save(self.what, "x")
        def do_run(self): self.run()
"""
ARGUMENTS = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--name', default='Saver')\n"
ARGUMENTS += "name = parser.parse_args().name\n"


@pytest.mark.parametrize(
    ("main", "files"),
    [
        ("import savers\ngetattr(savers, name)(1).run()", {"savers.py": SAVER}),
        (
            "import savers\nsavers.make(name)(1).run()",
            {"savers.py": f"{SAVER}\n    def make(kind): return globals()[kind]"},
        ),
        ("from savers import Saver\ngetattr(Saver(1), 'do_' + name)()", {"savers.py": SAVER}),
        ("from savers import Saver\nclass Own(Saver): pass\ngetattr(Own(1), f'do_{name}')()", {"savers.py": SAVER}),
        (
            "import importlib\nimportlib.import_module('plugins.' + name).Saver(1).run()",
            {"plugins/__init__.py": "", "plugins/plain.py": SAVER},
        ),
        (
            "import importlib\nmodule, kind = 'own.savers.Saver'.rsplit('.', 1)\n"
            "getattr(importlib.import_module(module), kind)(1).run()",
            {"own/__init__.py": "", "own/savers.py": SAVER},
        ),
        (
            "from lib import Saver\nSaver(1).run()",
            {
                "lib/__init__.py": """
                    import importlib
                    def __getattr__(name):
                        if name == "Saver":
                            return importlib.import_module("lib.savers").Saver
                        raise AttributeError(name)
                """,
                "lib/savers.py": SAVER,
            },
        ),
        (
            "from base import Base\nimport savers\nBase.kinds[name](1).run()",
            {
                "base.py": """
                    class Base:
                        kinds = {}
                        def __init_subclass__(cls, label="", **rest):
                            super().__init_subclass__(**rest)
                            Base.kinds[label] = cls
                """,
                "savers.py": SAVER.replace("class Saver", "from base import Base\n    class Saver").replace(
                    "class Saver:", "class Saver(Base, label='own'):"
                ),
            },
        ),
        (
            "from tables import KINDS\nimport kinds\nKINDS[name](1).run()",
            {
                "tables.py": "KINDS = {}\ndef kept(cls):\n    KINDS[cls.__name__] = cls\n    return cls\n",
                "kinds/__init__.py": """
                    import os, importlib
                    for file in os.listdir(os.path.dirname(__file__)):
                        importlib.import_module("kinds." + file[:-3])
                """,
                "kinds/savers.py": SAVER.replace("class Saver", "from tables import kept\n    @kept\n    class Saver"),
            },
        ),
        (
            "import yaml, sys\nfrom tables import SAVERS, build\nimport savers\n"
            "build(yaml.safe_load(open(sys.argv[1]))['saver'], dict(what=Plain())).run()",
            {
                "tables.py": """
                    SAVERS = {}
                    def kept(cls):
                        SAVERS[cls.__name__] = cls
                        return cls
                    def build(settings, defaults):
                        given = settings.copy()
                        for key, value in defaults.items():
                            given.setdefault(key, value)
                        kind = given.pop("type")
                        if isinstance(kind, str):
                            made = SAVERS.get(kind, None)
                            if made is None:
                                raise KeyError(kind)
                        else:
                            made = kind
                        return made(**given)
                """,
                "savers.py": SAVER.replace("class Saver", "from tables import kept\n    @kept\n    class Saver"),
            },
        ),
        ("import savers\nsavers.__dict__[name](1).run()", {"savers.py": SAVER}),
        (
            "import savers, sys\nsettings = dict(sys.argv)\ngetattr(savers, settings['k'])(1, **settings).run()",
            {"savers.py": SAVER},
        ),
        (
            "import importlib\ndef find(name):\n    lib = importlib.import_module('kinds.' + name + '_saver')\n"
            "    found = None\n    for key, kind in lib.__dict__.items():\n        if key.lower() == name:\n"
            "            found = kind\n    return found\nfind(name)(1).run()",
            {"kinds/__init__.py": "", "kinds/other.py": "", "kinds/plain_saver.py": SAVER},
        ),
        (
            "from tables import SAVERS\nimport savers\nSAVERS.build(dict(type=name), default_args=dict(what=1)).run()",
            {
                "tables.py": "from mmengine.registry import Registry\nSAVERS = Registry('saver')\n",
                "savers.py": SAVER.replace(
                    "class Saver", "from tables import SAVERS\n    @SAVERS.register_module()\n    class Saver"
                ),
            },
        ),
        (
            "from tables import SAVERS\nfrom mmcv.utils import build_from_cfg\nimport savers, sys\n"
            "build_from_cfg(sys.argv[1], SAVERS, dict(what=1)).run()",
            {
                "tables.py": "from mmcv.utils import Registry\nSAVERS = Registry('saver')\n",
                "savers.py": f"{SAVER}\n    from tables import SAVERS\n"
                "    SAVERS.register_module('short', module=Saver)",
            },
        ),
        (
            "from tables import SAVERS\nimport savers\nSAVERS.get(name)(1).run()",
            {
                "tables.py": "from fvcore.common.registry import Registry\nSAVERS = Registry('saver')\n",
                "savers.py": SAVER.replace(
                    "class Saver", "from tables import SAVERS\n    @SAVERS.register()\n    class Saver"
                ),
            },
        ),
        (
            "import hydra.utils\nhydra.utils.instantiate({'_target_': 'own.savers.Saver'}, what=1).run()",
            {"own/__init__.py": "", "own/savers.py": SAVER},
        ),
        *(
            (f"{made}.run()", {"own/__init__.py": "", "own/savers.py": SAVER})
            for made in (
                "import pydoc\npydoc.locate('own.savers.Saver')(1)",
                "import pkgutil\npkgutil.resolve_name('own.savers:Saver')(1)",
                "import hydra\nhydra.utils.get_class('own.savers.Saver')(what=1)",
                "getattr(__import__('own.savers', fromlist=['Saver']), 'Saver')(1)",
                "import importlib\npath = 'own.savers.Saver' if name else 'own.savers.Plain'\n"
                "module, kind = path.rsplit('.', 1)\ngetattr(importlib.import_module(module), kind)(1)",
            )
        ),
        (
            "from settings import cfg\nfrom savers import Saver\ncfg.merge_from_file('x.yaml')\n"
            "KINDS = {'Saver': Saver}\nKINDS[cfg.KIND.NAME](1).run()",
            {
                "settings.py": "from yacs.config import CfgNode as CN\ncfg = CN()\ncfg.KIND = CN()\n"
                "cfg.KIND.NAME = ''\n",
                "savers.py": SAVER,
            },
        ),
    ],
)  # fmt: skip
def test_what_is_chosen_by_name_is_followed(follow_project, main: str, files: dict[str, str]) -> None:
    program = f"{ARGUMENTS}class Plain: pass\n{main}\n"
    sources = {"main.py": program, **{path: dedent(text) for path, text in files.items()}}
    saved, *_ = follow_project(sources, names=["main"]).saves("x")
    assert saved.operands["object"] == Const(1) or isinstance(saved.operands["object"], Object)


def test_one_of_very_many_modules_is_unknown(follow_project) -> None:
    program = f"{ARGUMENTS}import importlib\nimportlib.import_module('many.' + name).Saver(1).run()\n"
    files = {f"many/part{number}.py": dedent(SAVER) for number in range(20)}
    assert not follow_project({"main.py": program, "many/__init__.py": "", **files}, names=["main"]).saves("x")


@pytest.mark.parametrize(
    "stored",
    [
        "self.__dict__.update(given)",
        "vars(self).update(given)",
        "self.__dict__.update(size=given['size'])",
    ],
)
def test_attributes_that_are_stored_as_a_dict(value_of, stored: str) -> None:
    program = f"class A:\n    def __init__(self, **given):\n        {stored}\nx = A(size=1).size"
    assert value_of(program) == Const(1)


def test_arguments_that_are_stored_all_at_once(value_of) -> None:
    program = "class A:\n    def __init__(self, size):\n        self.__dict__.update(locals())\nx = A(1).size"
    assert value_of(program) == Const(1)


def test_a_proxy_is_what_it_stands_for(value_of) -> None:
    program = "import weakref\nclass A:\n    def __init__(self): self.size = 1\nx = weakref.proxy(A()).size"
    assert value_of(program) == Const(1)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("a, b = 'one.two.three'.rsplit('.', 1)\nx = (a, b)", [Const("one.two"), Const("three")]),
        ("a, _, b = 'one.two'.rpartition('.')\nx = (a, b)", [Const("one"), Const("two")]),
    ],
)
def test_pieces_of_a_dotted_name(value_of, program: str, expected: list[Const]) -> None:
    (found,) = alternatives(value_of(program))
    assert list(found.items) == expected


def test_a_default_that_is_no_object_may_be_given_otherwise(value_of) -> None:
    program = "d = torch.settings()\nd.setdefault('size', 1)\nx = d.get('size')"
    assert value_of(program) != Const(1)


def test_settings_of_a_configuration_object_are_defaults(value_of) -> None:
    made = "from yacs.config import CfgNode as CN\ncfg = CN()\ncfg.A = CN()\ncfg.A.B = 1\n"
    assert value_of(f"{made}x = cfg.A.B") == Const(1)
    for change in ("cfg.merge_from_file(path)", "cfg.merge_from_list(['A.B', 2])", "cfg.clone().merge_from_file(path)"):
        assert value_of(f"{made}{change}\nx = cfg.A.B") == Setting("A.B", "argument", Const(1))


KEEPERS = {
    "default": (
        "from collections import defaultdict\nhandlers = defaultdict(list)\n",
        "handlers[name].append(function)",
    ),
    "setdefault": ("handlers = {}\n", "handlers.setdefault(name, []).append(function)"),
    "list": ("handlers = {'step': []}\n", "handlers[name].append(function)"),
}


@pytest.mark.parametrize(("made", "kept"), KEEPERS.values(), ids=KEEPERS)
@pytest.mark.parametrize("read", ["handlers[name]", "handlers.get(name, [])"])
def test_functions_that_are_kept_in_lists_under_names(follow_project, made: str, kept: str, read: str) -> None:
    program = "import torch\ndef save(what): torch.save(what, 'x')\ndef other(what): torch.save(what, 'y')\n" + made
    program += f"def on(name, function): {kept}\ndef fire(name, what):\n    for function in {read}: function(what)\n"
    program += "on('step', save)\non('end', other)\nfire('step', 1)\n"
    run = follow_project(program)
    assert [event.operands["object"] for event in run.saves("x")] == [Const(1)]
    assert not run.saves("y")


def test_a_key_of_a_dict_that_is_not_known_whole_may_have_more(value_of) -> None:
    added = value_of("d = torch.settings()\nd.setdefault('a', []).append(1)\nx = d['a']")
    assert isinstance(added, Items)
    assert added.open
