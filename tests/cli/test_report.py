"""`ddl-lint report`: from the command line to the page."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ddl_lint.commands import main as cli

HANG = """\
import torch.distributed as dist

def main(x):
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        dist.all_reduce(x)
    dist.barrier()

main(*range(3))
"""
LAUNCH = "#!/bin/bash\ntorchrun --standalone --nproc_per_node=4 train.py\n"
CROSSING = """\
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
x = torch.zeros(1)
if dist.get_rank() == 0:
    dist.send(x, 1)
    dist.recv(x, 1)
else:
    dist.send(x, 0)
    dist.recv(x, 0)
"""
HIDDEN = """\
import torch.distributed as dist
from somewhere import fit

dist.init_process_group("gloo")
fit(lambda: None)
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """One for all: what is stored of the API models takes long to make."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def river(tmp_path, monkeypatch, cache):
    folder = tmp_path / "river"
    folder.mkdir()
    (folder / "train.py").write_text(HANG, encoding="utf-8")
    (folder / "other.py").write_text(HIDDEN, encoding="utf-8")
    (folder / "run.sh").write_text(LAUNCH, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(cache))


def page(*words: str) -> str:
    assert cli.main(["report", *words, "-o", "page.html"]) == 0
    return Path("page.html").read_text(encoding="utf-8")


def test_it_shows_findings_traces_launches_and_what_was_not_seen(capsys):
    text = page()
    assert "<h1>river</h1>" in text
    assert "Hang: only rank 0 calls <code>all_reduce</code>" in text
    assert text.count('class="trace"') == 1
    assert "1 node x 4 processes = 4 ranks" in text
    assert "<code>other.py</code>: the training loop is inside <code>fit</code>" in text
    assert capsys.readouterr().err == "page.html: 1 finding in 3 files\n"


def test_the_same_files_make_the_same_bytes_with_and_without_stored_results():
    def without_command(text: str) -> str:
        return re.sub(r"<dt>Command</dt><dd>.*?</dd>", "", text)

    assert page() == page()
    assert without_command(page()) == without_command(page("--no-cache"))


def test_it_says_when_of_what_and_by_which_command_it_was_made(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764201600")
    text = page("--select", "hang")
    assert "<dt>Date</dt><dd>2025-11-27</dd>" in text and "<dt>Commit</dt>" not in text
    assert re.search(r"<dt>Command</dt><dd><code>ddl-lint report [^<]*--select hang[^<]*</code></dd>", text)
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b.c commit -qm one"):
        subprocess.run(["git", *words.split()], check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    assert f"<dt>Commit</dt><dd><code>{head[:12]}</code></dd>" in page()
    assert "Links lead to" not in page()  # there is no remote


def test_findings_name_the_owners_of_their_files_and_can_be_filtered_by_them():
    assert 'id="by-owner"' not in page()
    Path(".git").mkdir()
    Path("CODEOWNERS").write_text("* @rivers\ntrain.py @torch <b>\n", encoding="utf-8")
    text = page()
    assert 'data-owners="@torch &lt;b&gt;"' in text and "<option>@torch</option>" in text
    assert "@rivers" not in text  # nothing is found in what they own


def test_a_finding_in_a_function_that_no_script_calls_has_its_trace_too():
    Path("lib.py").write_text(HANG.replace("main(*range(3))\n", ""), encoding="utf-8")
    assert page("lib.py").count('class="trace"') == 1


def test_what_rules_find_about_the_ranks_is_what_is_said_of_the_script():
    Path("ring.py").write_text(CROSSING, encoding="utf-8")
    text = page("ring.py")
    assert text.count("Hang: rank 0 waits in <code>send</code>") == 2
    assert "No hang found" not in text


def test_rules_are_chosen_as_for_check():
    assert "No problems found." in page("--ignore", "hang")


def test_it_goes_to_stdout(capsys):
    assert cli.main(["report", "-o", "-", "train.py"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("<!doctype html>")
    assert not err
    assert not Path("ddl-lint-report.html").exists()


def test_it_says_what_became_of_a_job_by_its_logs(tmp_path, capsys):
    log = tmp_path / "job.log"
    log.write_text(
        '[rank0]:   File "/home/jane/river/train.py", line 6, in main\n[rank0]:     dist.all_reduce(x)\n'
        "[rank0]: RuntimeError: [pair.cc:553] Connection closed by peer [10.1.2.3]:25999.\n"
    )
    assert cli.main(["report", "--log", str(log), "-o", "-"]) == 0
    page = capsys.readouterr().out
    assert '<section id="job"><h2>What became of the job</h2>' in page
    assert "train.py:6</h3>" in page
    assert "10.1.2.3" not in page
    assert "jane" not in page
    assert cli.main(["report", "--log", "nowhere.log"]) == 2


def test_places_lead_to_the_commit_that_is_checked_out():
    def git(*words: str) -> str:
        author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        return subprocess.run(["git", *author, *words], check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    git("remote", "add", "origin", "git@git.example.org:team/river.git")
    revision = git("rev-parse", "HEAD")
    assert f"https://git.example.org/team/river/blob/{revision}/train.py#L6" in page()
    assert "https://example.org/x/train.py#L6" in page("--link-base", "https://example.org/x/")


def test_an_address_that_is_none_is_refused(capsys):
    assert cli.main(["report", "--link-base", "javascript:alert(1)"]) == 2
    assert "--link-base javascript:alert(1): is no http or https address" in capsys.readouterr().err


def test_what_cannot_be_read_is_told_and_stands_in_the_page(capsys):
    assert cli.main(["report", "train.py", "gone.py", "-o", "page.html"]) == 2
    assert "gone.py" in Path("page.html").read_text(encoding="utf-8")
