"""Long calls run in parallel with the interpreter."""

import os
import signal
import threading
import time

import pytest

import rigscope


def test_other_threads_run_while_work_is_done(figure):
    """A thread counts while another one is in a long call. If the call held the lock, it couldn't count."""
    counted, is_over = [0], threading.Event()

    def count():
        while not is_over.is_set():
            counted[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = counted[0]
    figure.pose().rank()
    during = counted[0] - before
    is_over.set()
    counter.join()
    assert during > 1000


def test_ctrl_c_ends_a_long_call(figure):
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                figure.pose().rank()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert figure.pose().skin()


def test_threads_share_a_rig(figure):
    expected = figure.skin("dqs", clip="walk", time=0.5)[0].positions.tobytes()
    results = []
    work = lambda: results.append(figure.skin("dqs", clip="walk", time=0.5)[0].positions.tobytes())
    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert results == [expected] * 8


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_is_told_that_it_has_no_threads(figure):
    figure.pose()
    child = os.fork()
    if child == 0:
        try:
            figure.pose()
        except rigscope.RigscopeError as problem:
            os._exit(7 if "spawn" in str(problem) else 8)
        os._exit(9)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 7
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child waits for threads that it does not have")
