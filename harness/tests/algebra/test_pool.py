import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from harness.algebra.latex import parse
from harness.algebra.pool import Child, Pool
from harness.algebra.tree import Node
from harness.errors import AssayError
from harness.scoring.free import symbolic
from harness.scoring.free.symbolic import compare

ROOT, SUM = r"\sqrt{3+2\sqrt{2}}", r"1+\sqrt{2}"
_READ = "import sys, time; print('ready', flush=True); sys.stdin.readline();"


def tree(text: str) -> Node:
    found = parse(text)
    assert found is not None
    return found.likely


def test_sympy_proves_and_does_not_guess() -> None:
    pool = Pool()
    try:
        assert pool.ask(tree(ROOT), tree(SUM)) is True
        assert pool.ask(tree(ROOT), tree(r"\sqrt{2}")) is None
        assert pool.ask(tree("x"), tree("y")) is None
        assert pool.ask(tree(r"\sqrt{x}\sqrt{y}"), tree(r"\sqrt{xy}")) is True
        assert pool.ask(Node("list", (tree("x"),)), tree("x")) is None
    finally:
        pool.close()


def test_a_child_that_is_killed_in_the_middle_is_replaced() -> None:
    child = Child(deadline_s=30, program=_READ + "time.sleep(3600)")
    child.start()
    assert child.process is not None
    pid = child.process.pid
    timer = threading.Timer(0.3, os.kill, (pid, signal.SIGKILL))
    timer.start()
    assert child.ask(tree("x"), tree("y")) is None
    timer.join()
    assert child.process is None
    child.program = Child().program
    assert child.ask(tree(ROOT), tree(SUM)) is True
    child.stop()


@pytest.mark.parametrize(
    "behaviour",
    [
        "time.sleep(3600)",
        "print('[1, ')",
        "print('[7, true]', flush=True); time.sleep(3600)",
        "print('x' * 5000, flush=True); time.sleep(3600)",
        "print('{}', flush=True); time.sleep(3600)",
        "print('null', flush=True); time.sleep(3600)",
        "sys.stdout.buffer.write(bytes(range(200, 250)) + b'\\n'); sys.stdout.flush()",
        "raise SystemExit(3)",
    ],
)
def test_silence_garbage_and_death_are_no_answer(behaviour: str) -> None:
    child = Child(deadline_s=0.5, program=_READ + behaviour)
    assert child.ask(tree("x"), tree("x")) is None
    assert child.process is None


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("raise SystemExit(1)", "died"),
        ("print('half a wor', end='')", "died"),
        ("import sys; sys.modules['sympy'] = None;" + "\n" + Child().program, "sympy"),
        ("import builtins; builtins.sum = None" + "\n" + Child().program, "TypeError"),
    ],
    ids=["exit", "half a word", "no sympy", "broken sympy"],
)
def test_a_child_that_does_not_start_is_an_error(program: str, reason: str) -> None:
    """Nothing was asked: a run whose formulas all go to review would look like a bad model."""
    child = Child(program=program)
    with pytest.raises(AssayError, match=f"child process with sympy to start, found: .*{reason}"):
        child.ask(tree("x"), tree("x"))
    assert child.process is None


def test_a_python_that_cannot_run_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    monkeypatch.setattr(symbolic.pool, "default", Pool())
    with pytest.raises(AssayError, match="No such file"):
        compare(r"\cos\frac{\pi}{5}+1", r"\frac{5+\sqrt{5}}{4}")


def test_a_child_that_starts_the_second_time_is_enough(tmp_path: Path) -> None:
    once = (
        f"import os\nif not os.path.exists({str(tmp_path / 'once')!r}):\n"
        f"    os.mkdir({str(tmp_path / 'once')!r}); raise SystemExit(1)\n"
    )
    child = Child(program=once + Child().program)
    assert child.ask(tree(ROOT), tree(SUM)) is True
    child.stop()


def test_the_child_has_no_memory_and_no_files_to_give(tmp_path: Path) -> None:
    hungry = (
        "import json, sys; sys.path[:0] = json.loads(sys.argv[1]);"
        "from harness.algebra import worker\n"
        "def equal(left, right):\n"
        "    try:\n"
        f"        open({str(tmp_path / 'trace')!r}, 'w').write('x')\n"
        "    except OSError:\n"
        "        return len(bytearray(3 << 30)) > 0\n"
        "worker.equal = equal\n"
        "worker.limit(); print('ready', flush=True)\n"
        "for line in sys.stdin:\n"
        "    n, a, b = json.loads(line)\n"
        "    print(json.dumps([n, worker.answer(a, b)]), flush=True)\n"
    )
    child = Child(deadline_s=5, program=hungry)
    assert child.ask(tree("x"), tree("x")) is None
    assert child.process is not None  # a refused allocation ends the question, not the child
    child.stop()


def test_a_slow_question_ends_at_the_deadline_and_the_next_is_answered() -> None:
    pool = Pool(deadline_s=0.3)
    try:
        assert pool.ask(tree(ROOT), tree(SUM)) is True
        slow = tree("(" + "+".join("abcdfghklm") + ")^{12}")
        assert pool.ask(slow, tree("x")) is None
        assert pool.ask(tree(ROOT), tree(SUM)) is True
    finally:
        pool.close()


def test_threads_share_a_child() -> None:
    pool = Pool()
    found: list[bool | None] = []
    threads = [
        threading.Thread(target=lambda: found.append(pool.ask(tree(ROOT), tree(SUM))))
        for _ in range(4)
    ]
    try:
        for t in threads:
            t.start()
        for t in threads:
            t.join(60)
        assert found == [True] * 4
    finally:
        pool.close()


def _ask(pool: Pool, answers: "multiprocessing.SimpleQueue[object]") -> None:
    answers.put((pool.ask(tree(ROOT), tree(SUM)), pool.children[0].process.pid))  # type: ignore[union-attr]
    pool.close()


def test_a_forked_process_has_a_child_of_its_own() -> None:
    pool = Pool()
    try:
        assert pool.ask(tree(ROOT), tree(SUM)) is True
        context = multiprocessing.get_context("fork")
        answers = context.SimpleQueue()
        process = context.Process(target=_ask, args=(pool, answers))
        process.start()
        process.join(60)
        answer, pid = answers.get()
        assert answer is True
        assert pool.children[0].process is not None
        assert pool.children[0].process.pid != pid
        assert pool.ask(tree(ROOT), tree(SUM)) is True
    finally:
        pool.close()


def test_the_child_ends_with_its_parent_and_is_not_started_by_an_import() -> None:
    program = (
        "import sys; from harness.scoring.free import symbolic; from harness.algebra import pool;"
        "assert pool.default.children[0].process is None;"
        "assert 'sympy' not in sys.modules and 'torch' not in sys.modules;"
        r"print(symbolic.compare(r'\cos\frac{\pi}{5}', r'\frac{1+\sqrt{5}}{4}').equal,"
        "pool.default.children[0].process.pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    equal, pid = done.stdout.split()
    assert equal == "True"
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)
