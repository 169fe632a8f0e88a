"""A fork while another thread compiles: nobody waits for ever, and the child can compile, too."""

import json
import os
import subprocess
import sys
import time

import pytest
from tiny_package import make, run, variables

pytestmark = [
    pytest.mark.endurance,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="fork is a POSIX call"),
]

# A thread compiles one signature after the other; children are forked meanwhile. Each compiles a
# signature of its own and one that the thread compiles, too.
FORKS = """
import json, os, random, signal, sys, threading, time, warnings
import numpy as np
from tiny.kernels.entries import run
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 on forks of many threads
kinds = (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, np.uint64)
own = (np.float32, np.float64, np.complex64, np.complex128)
compiling = threading.Thread(target=lambda: [run(kind(1)) for kind in kinds])
random.seed({seed})
compiling.start()
children = []
for number in range({children}):
    time.sleep(random.uniform(0, {pause}))
    busy = compiling.is_alive()
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        answers = (run(own[number % 4](1)), run(kinds[-1](1)))
        os._exit(answers != (11, 11))
    children.append((child, busy))
compiling.join()
ends = [os.waitpid(child, 0)[1] for child, busy in children]
print(json.dumps([ends, [busy for child, busy in children]]))
"""
SLEEPING_CHILD = """
import os, sys, threading, time, warnings
from tiny.kernels.compile_turns import compiler_turn
from tiny.kernels.cache_folder import cache_folder
warnings.simplefilter("ignore", DeprecationWarning)
with compiler_turn(cache_folder()):
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
print(child, flush=True)
sys.stdin.read()
"""
CHILD_WITH_A_THREAD = """
import os, signal, threading, warnings
import numpy as np
from tiny.kernels.entries import run
warnings.simplefilter("ignore", DeprecationWarning)
run(np.int8(1))
child = os.fork()
if child == 0:
    signal.alarm(20)
    compiling = threading.Thread(target=run, args=(np.int16(1),))
    compiling.start()
    compiling.join()
    os._exit(0)
raise SystemExit(os.waitpid(child, 0)[1] != 0)
"""
HOLDER = """
import sys
from tiny.kernels.compile_turns import compiler_turn
from tiny.kernels.cache_folder import cache_folder
with compiler_turn(cache_folder()):
    print("locked", flush=True)
    sys.stdin.read()
"""
POOL = """
import multiprocessing, threading, warnings
import numpy as np
from tiny.kernels.entries import run
warnings.simplefilter("ignore", DeprecationWarning)
def work(number):
    return run((np.float32, np.float64, np.complex64)[number % 3](1))
kinds = (np.int8, np.int16, np.int32, np.uint8, np.uint16)
compiling = threading.Thread(target=lambda: [run(kind(1)) for kind in kinds])
compiling.start()
with multiprocessing.get_context("fork").Pool(3) as pool:
    assert pool.map_async(work, range(12), chunksize=1).get(timeout=30) == [11] * 12
compiling.join()
"""


@pytest.fixture
def tiny(tmp_path):
    return make(tmp_path)


def script(tiny, text, **more):
    return subprocess.run(
        [sys.executable, "-c", text], env=variables(tiny), capture_output=True, text=True,
        timeout=60, **more,
    )  # fmt: skip


def test_children_forked_at_any_moment_of_a_compilation_can_compile(tiny):
    done = script(tiny, FORKS.format(seed=1, children=8, pause=0.1))
    assert done.returncode == 0, done.stderr
    ends, busy = json.loads(done.stdout)
    assert ends == [0] * 8
    assert any(busy)


def test_a_pool_that_forks_during_a_compilation(tiny):
    done = script(tiny, POOL)
    assert done.returncode == 0, done.stderr


def test_a_thread_of_a_child_can_compile(tiny):
    assert script(tiny, CHILD_WITH_A_THREAD).returncode == 0


def test_a_sleeping_child_does_not_keep_the_lock(tiny):
    parent = subprocess.Popen(
        [sys.executable, "-c", SLEEPING_CHILD], env=variables(tiny), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    child = int(parent.stdout.readline())
    began = time.monotonic()
    try:
        assert run(tiny)["compiled"] == 1
        assert time.monotonic() - began < 40
        os.kill(child, 0)  # it still sleeps
    finally:
        os.kill(child, 9)
        parent.communicate()


@pytest.fixture
def turn_taken(tiny):
    """Another process that keeps its turn to compile, as one that is stopped would."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER], env=variables(tiny), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout.readline() == "locked\n"
    yield
    holder.communicate()


def test_kernels_in_the_cache_are_loaded_while_another_process_compiles(tiny, request):
    assert run(tiny)["compiled"] == 1
    request.getfixturevalue("turn_taken")
    began = time.monotonic()
    assert run(tiny)["fetched"] == 1
    assert time.monotonic() - began < 30


@pytest.mark.usefixtures("turn_taken")
def test_a_process_waits_for_its_turn_once_and_not_for_each_kernel(tiny):
    done = script(
        tiny,
        "import time; from tiny.kernels import compile_turns\n"
        "from tiny.kernels.entries import run\n"
        "compile_turns._LONGEST_WAIT = 3; times = [time.monotonic()]\n"
        "for x in (1, 1.0, 1j): run(x); times.append(time.monotonic())\n"
        "print(*(later - one for one, later in zip(times, times[1:])))\n",
    )
    assert done.returncode == 0, done.stderr
    first, second, third = map(float, done.stdout.split())
    assert first > 3
    assert second + third < 3


def test_a_child_copied_midway_says_so_instead_of_waiting_for_ever(tiny):
    done = script(
        tiny,
        "import os, threading, time, warnings; from tiny.kernels import compile_turns\n"
        "from tiny.kernels.entries import run\n"
        "warnings.simplefilter('ignore', DeprecationWarning)\n"
        "compile_turns._LONGEST_WAIT = 0.1; held = threading.Event(); go = threading.Event()\n"
        "def hold():\n"
        "    with compile_turns.compiler_turn(None): held.set(); go.wait()\n"
        "thread = threading.Thread(target=hold); thread.start(); held.wait()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try: run(4)\n"
        "    except RuntimeError as error: print(error, flush=True)\n"
        "    os._exit(0)\n"
        "os.waitpid(child, 0); go.set(); thread.join(); print(run(4))\n",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "this process was forked while another thread compiled a kernel for more than 0 s, and "
        'cannot compile: call pycdf once before forking, or use the start method "spawn".\n41\n'
    )
