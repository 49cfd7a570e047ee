#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's own test files on tpuc, beside JAX's CPU backend: how many of the tests that pass there pass here, and how long
they take.

    pip install jax==0.10.2 pytest hypothesis scipy opt_einsum mpmath
    git clone --depth=1 --branch=jax-v0.10.2 https://github.com/jax-ml/jax DIR/jax
    PYTHONPATH=SITE test/jax/suite.py --tests DIR/jax/tests --out results           the files below; SITE has tpuc
    PYTHONPATH=SITE test/jax/suite.py --tests DIR/jax/tests --out results fft_test  the named files
    ... suite.py ... --every=10   a tenth of each file's tests
    ... suite.py ... --quick      on the CPU only those that do not pass on tpuc; no ratios of time then
    ... suite.py ... --as=cpu     tells the tests that they run on a CPU; KNOWN_AS has the files where it does so anyway
    ... suite.py ... --again      those alone that did not pass on tpuc last time
    ... suite.py ... --cache=FOLDER --warm   what passes on tpuc runs once more, with the programs that are kept then
    ... suite.py ... --print      what is known, without running anything

Not part of the tests: it needs JAX's files and hours. A file runs in a process of its own, on JAX_PLATFORMS=cpu, then
those of its tests that pass there on JAX_PLATFORMS=tpuc with TPUC_MATMUL_PRECISION=highest. A test that takes longer
than --timeout hangs, and is killed with its process; one that takes its process down has crashed; the rest of the file
goes on in a new process. OUT/cpu/FILE.jsonl and OUT/tpuc/FILE.jsonl have a line for each test; results on the CPU are
kept for the next time. OUT/failures.txt has what failed on tpuc alone, with the first line of its error."""

import argparse
import collections
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

FILES = """debug_nans_test python_callback_test aot_test fft_test stax_test dtypes_test nn_test api_test export_test
lax_control_flow_test lax_vmap_test linalg_test random_test lax_autodiff_test lax_numpy_reducers_test
lax_numpy_indexing_test lax_numpy_einsum_test lax_test lax_numpy_test lax_numpy_operators_test""".split()
# Files that look their platform up in lists of their own, or skip those that they do not know. JAX's flag for such
# tests, jax_test_dut, names one that they do know; what they run on is tpuc all the same. `--as=` leaves it out.
KNOWN_AS = {"compilation_cache_test": "cpu", "export_test": "tpu", "python_callback_test": "cpu"}
PASSED, BAD = "passed", ("failed", "crash", "hang")


def flags():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=FILES, metavar="FILE", help="names of test files, without .py")
    parser.add_argument("--tests", required=True, type=pathlib.Path, help="JAX's folder of tests")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder of results")
    parser.add_argument("--every", type=int, default=1, help="one test of so many")
    parser.add_argument("--offset", type=int, default=0, help="the first of them")
    parser.add_argument("--only", default="", metavar="TEXT", help="tests whose name has it")
    parser.add_argument("--again", action="store_true", help="those that did not pass on tpuc last time")
    parser.add_argument("--new", action="store_true", help="those that have no result on tpuc yet")
    parser.add_argument("--quick", action="store_true", help="on the CPU only those that do not pass on tpuc")
    parser.add_argument(
        "--as", dest="known_as", metavar="PLATFORM", help="what the tests think that they run on; KNOWN_AS if not given"
    )
    parser.add_argument("--cpu-only", action="store_true", help="makes the CPU's results")
    parser.add_argument(
        "--cache", default="off", metavar="FOLDER", help="where compiled programs are kept; off if not given"
    )
    parser.add_argument("--warm", action="store_true", help="what passes on tpuc once more; with --cache=FOLDER")
    parser.add_argument("--print", action="store_true", help="runs nothing")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="a file takes no longer than this on a platform"
    )
    parser.add_argument("--timeout", type=float, default=120, help="seconds of one test")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--place", help=argparse.SUPPRESS)
    return parser.parse_args()


# ---- the process that runs tests -------------------------------------------------------------------------------------
class Recorder:
    """A pytest plugin: runs the tests of the plan, and writes a line when one starts and when it ends."""

    def __init__(self, options, plan, results):
        self.options, self.plan, self.results = options, plan, results

    def write(self, **record):
        self.results.write(json.dumps(record) + "\n")
        self.results.flush()

    def pytest_collection_modifyitems(self, items):
        names = [short(item.nodeid) for item in items]
        self.write(collected=names)
        wanted = set(chosen(self.options, names) if self.plan is None else self.plan)
        items[:] = [item for item, name in zip(items, names) if name in wanted]

    def pytest_runtest_logstart(self, nodeid):
        self.outcome, self.error = None, ""
        self.write(start=short(nodeid))
        self.began = time.monotonic(), cpu_seconds()

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.outcome = "failed"
            self.error = self.error or first_line(report)
        elif report.skipped and self.outcome is None:
            self.outcome = "skipped"
        elif report.when == "call" and self.outcome is None:
            self.outcome = PASSED

    def pytest_runtest_logfinish(self, nodeid):
        wall, cpu = time.monotonic() - self.began[0], cpu_seconds() - self.began[1]
        self.write(
            test=short(nodeid),
            outcome=self.outcome or "skipped",
            error=self.error,
            wall=round(wall, 4),
            cpu=round(cpu, 4),
        )


def short(nodeid):
    return nodeid.split("::", 1)[-1]


def cpu_seconds():
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usage)


def first_line(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = [line for line in (crash.message if crash else str(report.longrepr)).splitlines() if line.strip()]
    # An array's comparison says on its first line only that there is a difference.
    keep = 6 if lines and "Not equal to tolerance" in " ".join(lines[:2]) else 2
    return " ".join(line.strip() for line in lines[:keep])[:400]


def work(options):
    import pytest

    name = options.files[0]
    plan = json.loads(pathlib.Path(options.worker).read_text())
    path = options.tests / f"{name}.py"
    sys.argv = [str(path)]  # JAX's tests parse it
    if options.known_as:
        import jax
        from jax._src import test_util

        assert test_util
        jax.config.update("jax_test_dut", options.known_as)
    arguments = [
        str(path),
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:timeout",
        "--tb=short",
        "-W",
        "ignore",
        "--no-header",
    ]
    with open(options.out / options.place / f"{name}.events", "a") as results:
        code = pytest.main(arguments, plugins=[Recorder(options, plan, results)])
        results.write(json.dumps({"done": int(code)}) + "\n")


# ---- the process that watches ----------------------------------------------------------------------------------------
class Store:
    """The results of a file on a platform, in a folder `place` of the results."""

    def __init__(self, options, platform, name, place=None):
        self.options, self.platform, self.name, self.place = options, platform, name, place or platform
        self.folder = options.out / self.place
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path, self.events = self.folder / f"{name}.jsonl", self.folder / f"{name}.events"
        self.tests = {}
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                record = json.loads(line)
                self.tests[record["test"]] = record

    def add(self, record):
        self.tests[record["test"]] = record
        with open(self.path, "a") as file:
            file.write(json.dumps(record) + "\n")

    def collected(self):
        """The names of the file's tests; None if they are not known."""
        saved = self.folder / f"{self.name}.collected"
        return json.loads(saved.read_text()) if saved.exists() else None

    def run(self, tests):
        """Runs `tests`, or those that the options choose; in as many processes as it takes."""
        deadline, left = time.monotonic() + self.options.seconds, tests
        while (left is None or left) and time.monotonic() < deadline:
            seen = set()
            for event in self.watch(left, deadline):
                if "collected" in event and left is None:
                    (self.folder / f"{self.name}.collected").write_text(json.dumps(event["collected"]))
                    left = chosen(self.options, event["collected"])
                if "test" in event:
                    self.add(event)
                    seen.add(event["test"])
            if not seen and time.monotonic() < deadline:  # the file itself does not load, or has no such tests here
                for test in left or []:
                    self.add({"test": test, "outcome": "failed", "error": "the test is not there", "wall": 0, "cpu": 0})
                return
            left = [test for test in left if test not in seen]

    def watch(self, plan, deadline):
        """The events of a process that runs `plan`; it ends by itself, by a crash, or is killed when a test takes too
        long."""
        planned = self.folder / f"{self.name}.plan"
        planned.write_text(json.dumps(plan))
        self.events.write_text("")
        passed_on = [f"--{flag}={getattr(self.options, flag)}" for flag in ("tests", "out", "every", "offset", "only")]
        known_as = KNOWN_AS.get(self.name, "") if self.options.known_as is None else self.options.known_as
        passed_on.append(f"--as={known_as if self.platform == 'tpuc' else ''}")
        command = [sys.executable, __file__, self.name, *passed_on, f"--worker={planned}", f"--place={self.place}"]
        environment = dict(
            os.environ,
            JAX_PLATFORMS=self.platform,
            TPUC_MATMUL_PRECISION="highest",
            JAX_NUM_GENERATED_CASES="1",
            TPUC_CACHE=self.options.cache,
            PYTHONDONTWRITEBYTECODE="1",
        )
        running, began, done, text = None, time.monotonic(), False, ""
        with open(self.folder / f"{self.name}.log", "a") as log, open(self.events) as events:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
            while True:
                ended = process.poll() is not None
                text += events.read()
                *lines, text = text.split("\n")  # the last line is not whole yet
                for event in map(json.loads, lines):
                    done = done or "done" in event
                    running = event.get("start", running) if "test" not in event else None
                    began = time.monotonic()
                    yield event
                if ended:
                    break
                if (
                    running
                    and time.monotonic() - began > self.options.timeout
                    or time.monotonic() > deadline
                    and not running
                ):
                    process.kill()
                    process.wait()
                    if running:
                        yield {
                            "test": running,
                            "outcome": "hang",
                            "error": f"more than {self.options.timeout:g} s",
                            "wall": self.options.timeout,
                            "cpu": 0,
                        }
                    return
                if done and time.monotonic() - began > self.options.timeout:
                    process.kill()  # it does not end
                    yield {
                        "test": f"{self.name} (exit)",
                        "outcome": "hang",
                        "error": "the process does not end",
                        "wall": self.options.timeout,
                        "cpu": 0,
                    }
                    return
                time.sleep(0.05)
        if running:
            yield {"test": running, "outcome": "crash", "error": f"exit {process.returncode}", "wall": 0, "cpu": 0}


def chosen(options, tests):
    return [
        test
        for i, test in enumerate(tests)
        if i % options.every == options.offset % options.every and options.only in test
    ]


def run_file(options, name):
    cpu, tpuc, warm = Store(options, "cpu", name), Store(options, "tpuc", name), Store(options, "tpuc", name, "warm")
    if options.print:
        return cpu, tpuc, warm
    first = tpuc if options.quick else cpu
    tests = chosen(options, first.collected() or [])
    if not options.quick:
        cpu.run([test for test in tests if test not in cpu.tests] if tests else None)
        tests = [
            test
            for test in tests or chosen(options, cpu.collected() or [])
            if cpu.tests.get(test, {}).get("outcome") == PASSED
        ]
    if options.cpu_only:
        return cpu, tpuc, warm
    if options.again:
        tests = [test for test in tests if tpuc.tests.get(test, {}).get("outcome") in BAD]
    if options.new:
        tests = [test for test in tests if test not in tpuc.tests]
    tpuc.run(tests if tests or first.collected() is not None else None)
    if options.quick:
        cpu.run(
            [
                test
                for test in chosen(options, tpuc.collected() or [])
                if tpuc.tests.get(test, {}).get("outcome") in BAD and test not in cpu.tests
            ]
        )
    if options.warm:
        warm.run([test for test in tests if tpuc.tests.get(test, {}).get("outcome") == PASSED])
    return cpu, tpuc, warm


def count(cpu, tpuc, warm):
    """What became on tpuc of the tests that pass on the CPU; one that passes on tpuc and was not run there counts as
    such."""
    on_cpu = lambda test: cpu.tests.get(test, {"outcome": PASSED})["outcome"]
    both = [test for test in tpuc.tests if on_cpu(test) == PASSED]
    counts = collections.Counter(tpuc.tests[test]["outcome"] for test in both)
    counts["all"] = len(both)
    timed = [test for test in both if test in cpu.tests and tpuc.tests[test]["outcome"] == PASSED]
    again = [test for test in timed if test in warm.tests]
    for kind in ("wall", "cpu"):
        counts[f"cpu {kind}"] = sum(cpu.tests[test][kind] for test in timed)
        counts[f"tpuc {kind}"] = sum(tpuc.tests[test][kind] for test in timed)
        counts[f"warm {kind}"] = sum(warm.tests[test][kind] for test in again)
        counts[f"cpu of warm {kind}"] = sum(cpu.tests[test][kind] for test in again)
    return counts, [tpuc.tests[test] for test in both if tpuc.tests[test]["outcome"] in BAD]


def show(name, counts):
    ratio = lambda kind, of="": counts[kind] / max(counts[of + kind.split()[1]], 1e-9)
    text = (
        f"{name:28} {counts['all']:7} {counts[PASSED]:7} "
        f"{100 * counts[PASSED] / max(1, counts['all'] - counts['skipped']):6.2f}% {counts['failed']:7} "
        f"{counts['crash']:6} {counts['hang']:5} "
        f"{counts['skipped']:7} {counts['tpuc wall']:8.1f} s {ratio('tpuc wall', 'cpu '):6.2f} "
        f"{counts['tpuc cpu']:8.1f} s {ratio('tpuc cpu', 'cpu '):6.2f}"
    )
    if counts["warm wall"]:
        text += f" {ratio('warm wall', 'cpu of warm '):6.2f} {ratio('warm cpu', 'cpu of warm '):6.2f}"
    print(text, flush=True)


def main():
    options = flags()
    if options.worker:
        return work(options)
    options.out.mkdir(parents=True, exist_ok=True)
    print(
        f"{'':28} {'on CPU':>7} {'on tpuc':>15} {'failed':>7} {'crash':>6} {'hang':>5} {'skipped':>7} "
        f"{'wall time':>10} {'ratio':>6} {'CPU time':>10} {'ratio':>6}"
        + (f" {'warm':>6} {'CPU':>6}" if options.warm else "")
    )
    total, failures = collections.Counter(), {}
    for name in options.files:
        counts, failures[name] = count(*run_file(options, name))
        show(name, counts)
        total.update(counts)
    show("all", total)
    with open(options.out / "failures.txt", "w") as file:
        for name, records in failures.items():
            for record in records:
                file.write(f"{name}::{record['test']}: {record['outcome']}: {record['error']}\n")
    return sum(total[kind] for kind in BAD) > 0


if __name__ == "__main__":
    sys.exit(main())
