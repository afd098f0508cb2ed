"""Shell scripts: words, variables, branches, functions, nested shells, places."""

from __future__ import annotations

import pytest

from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.shell import ShellText, read_shell
from ddl_lint.jobs.slurm import read_directives
from ddl_lint.jobs.words import Command

UNKNOWN = None


def read(text: str) -> ShellText:
    return read_shell(Excerpt("/run.sh", text))


def values(command: Command) -> list[str | None]:
    return [word.value for word in command.words]


def last(text: str) -> list[str | None]:
    return values(read(text).commands[-1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torchrun --nnodes=2 train.py", ["torchrun", "--nnodes=2", "train.py"]),
        ("N=4\nrun --n=$N", ["run", "--n=4"]),
        ("--n=4 train.py", ["--n=4", "train.py"]),
        ("N=4\n--n=$N", ["--n=4"]),
        ('N=4\nrun "--n ${N}"', ["run", "--n 4"]),
        ("run ${N:-8}", ["run", "8"]),
        ("run ${1:-8}", ["run", UNKNOWN]),
        (": ${N:=8}\nrun $N", ["run", "8"]),
        ("run $(hostname)", ["run", UNKNOWN]),
        ("OPTS='--a 1'\nOPTS+=' --b'\nrun $OPTS", ["run", "--a", "1", "--b"]),
        ('A=(--x 1)\nA+=(--y)\nrun "${A[@]}" z', ["run", "--x", "1", "--y", "z"]),
        ('CMD="torchrun --n 2 train.py"\n$CMD --more', ["torchrun", "--n", "2", "train.py", "--more"]),
        ("CMD='torchrun train.py'\neval $CMD", ["torchrun", "train.py"]),
        ("if x; then N=1; else N=2; fi\nrun $N", ["run", UNKNOWN]),
        ("if x; then N=1; else N=1; fi\nrun $N", ["run", "1"]),
        ("if x; then N=1; fi\nrun $N", ["run", UNKNOWN]),
        ("for n in 1 2; do N=$n; done\nrun $N", ["run", UNKNOWN]),
        ('go() { run "$1" $2; }\ngo a 3', ["run", "a", "3"]),
        ("N=2\nM=8\nrun $((N * M)) $(( (M - N) / 4 + 2 ** 3 % 5 ))", ["run", "16", "4"]),
        ('N=4\nG=$((N * ${M:-2}))\nrun "--g=$G"', ["run", "--g=8"]),
        ("run $((N * 2)) $((7 / 0)) $((0x10))", ["run", UNKNOWN, UNKNOWN, UNKNOWN]),
        ("N=$1\nrun $((N * 2))", ["run", UNKNOWN]),
        ("P=<Path to it (e.g. /a)>\nrun $P a", ["run", UNKNOWN, "a"]),
        ("conda activate <env-name>\n\nrun <your path>/a b", ["run", UNKNOWN, "b"]),
        ("run ' <sep> ' <in.txt >out.txt", ["run", " <sep> "]),
        ('O=${O:-""}\nrun $O a', ["run", "a"]),
        ("N=2\nlet N=N+1\nrun $N", ["run", UNKNOWN]),
        ("N=2\nread -r N\nrun $N", ["run", UNKNOWN]),
        ("N=2\n((N++))\nrun $((N * 2))", ["run", UNKNOWN]),
        ("N=2\nfor ((i=0; i<3; i++)); do ((N*=2)); done\nrun $((N * 2)) $i", ["run", UNKNOWN, UNKNOWN]),
        ("set -- a b\nrun $2", ["run", "b"]),
        ("run a \\\n  b", ["run", "a", "b"]),
        ("run '$N' \"it's\"", ["run", "$N", "it's"]),
    ],
)
def test_words(text: str, expected: list[str | None]) -> None:
    assert last(text) == expected


def test_a_word_that_cannot_be_read_may_be_several() -> None:
    text = "torchrun --nnodes=2 --conf=host=$(((NODE)) && echo 0 || echo 1) --rdzv_backend=c10d train.py"
    (command,) = read(text).commands[-1:]
    assert [word.may_split for word in command.words[:3]] == [False, False, True]


def test_places_are_those_of_what_is_written() -> None:
    text = "N=16\nrun --n=$N ü x\n"
    command = read(text).commands[0]
    assert [text[word.location.start : word.location.end] for word in command.words] == ["run", "--n=$N", "ü", "x"]


def test_words_of_a_variable_stand_where_it_is_set() -> None:
    text = 'OPTS="--a 1"\nrun $OPTS\n'
    word = read(text).commands[0].words[1]
    assert text[word.location.start : word.location.end] == "--a"


def test_the_environment_of_a_command() -> None:
    first, second = read("export A=1\nB=2\nC=3 run\nunset A\nrun").commands
    assert {name: word.value for name, word in first.exported.items()} == {"A": "1"}
    assert {name: word.value for name, word in first.prefix.items()} == {"C": "3"}
    assert first.environment("C") is not None and first.environment("B") is None
    assert second.environment("A") is None


def test_commands_in_the_background_and_in_branches() -> None:
    first, _, second = read("run a &\nif x; then run b; fi").commands
    assert first.in_background and not first.arms
    assert not second.in_background and second.arms


def test_a_shell_inside_runs_for_each_task() -> None:
    text = "export A=$(hostname)\nsrun -N 2 bash -c 'B=1 python train.py'"
    outer, inner = read(text).commands
    assert outer.name == "srun" and values(inner) == ["python", "train.py"]
    assert inner.per_task is not None and inner.per_task.name == "srun"
    assert text[inner.location.start : inner.location.end] == "B=1 python train.py"


def test_files_that_are_written() -> None:
    text = 'NAME=x\nsed s/a/b/ t.json > "c_${NAME}.json"\ncat <<EOF > job.sh\ntorchrun hidden.py\nEOF\n'
    found = read(text)
    assert [word.value for word in found.written] == ["c_x.json", "job.sh"]
    assert [command.name for command in found.commands] == ["sed", "cat"]


@pytest.mark.parametrize(
    "text", ["", "if", "'", "$(", "a ((", "}\n", "case x in", "\\", "\x00", "(" * 500, "f() { f; }\nf"]
)
def test_broken_texts_give_what_can_be_read(text: str) -> None:
    read(text)


def test_words_of_a_variable_with_continued_lines_stand_where_they_are_written() -> None:
    text = 'OPTS="--a 1 \\\n  --b \\"x\\" \\\n  --c"\nrun $OPTS\n'
    words = read(text).commands[0].words
    assert [word.value for word in words] == ["run", "--a", "1", "--b", '"x"', "--c"]
    assert [text[word.location.start : word.location.end] for word in words[1:]] == [
        "--a",
        "1",
        "--b",
        '\\"x\\"',
        "--c",
    ]


def test_slurm_tells_a_script_its_size() -> None:
    text = "#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=8\nrun $SLURM_NNODES $((SLURM_NTASKS / 2))\n"
    directives = read_directives(Excerpt("/run.sh", text))
    assert directives is not None
    given = dict(directives.environment)
    shell = read_shell(Excerpt("/run.sh", text), given)
    assert values(shell.commands[0]) == ["run", "4", "16"]
    inner = text + "srun -N 1 bash -c 'run $SLURM_NNODES'\nsrun bash -c 'run $SLURM_NNODES'\n"
    assert [values(each) for each in read_shell(Excerpt("/run.sh", inner), given).commands][2::2] == [
        ["run", UNKNOWN],
        ["run", "4"],
    ]


@pytest.mark.parametrize("use", ["$HOST", "${HOST}", '"$HOST"', '"${HOST}:29500"'])
@pytest.mark.parametrize("default", ["127.0.0.1", '"127.0.0.1"'])
def test_what_whoever_starts_it_may_set_is_a_default(default: str, use: str) -> None:
    text = f"HOST=${{HOST:-{default}}}\necho {use}\n"
    (command,) = read_shell(Excerpt("/run.sh", text)).commands
    assert command.words[1].is_default and not command.words[0].is_default


@pytest.mark.parametrize(
    ("begin", "known"),
    [
        ("read -r -d '' line <<EOF", True),
        ("IFS= read -rd '' line << 'EOF'", True),
        ("read line <<EOF", False),
        ("read -r -d '' -a line <<EOF", False),
    ],
)
def test_a_variable_holds_the_text_that_is_read_into_it(begin: str, known: bool) -> None:
    (_, command) = read(f"{begin}\ntrain.py\n   --steps 3\nEOF\ntorchrun $line\n").commands
    assert (values(command) == ["torchrun", "train.py", "--steps", "3"]) is known
