# SPDX-License-Identifier: MIT
"""Prints pytest's results as TAP, which Meson and scripts/summarise-tests understand."""
import pytest


def pytest_addoption(parser):
    parser.addoption("--tap", action="store_true", help="write TAP")


def pytest_configure(config):
    if config.getoption("tap"):
        config.pluginmanager.register(Tap())


class Tap:
    def __init__(self):
        self.cases = 0

    def tell(self, result, report, reason=None):
        self.cases += 1
        name = "::".join(report.nodeid.split("::")[1:]) or report.nodeid
        print(
            f"\n{result} {self.cases} - {name}" + (f" # SKIP {reason}" if reason else ""),
            flush=True,
        )

    def pytest_collectreport(self, report):
        if report.failed:
            for line in report.longreprtext.splitlines():
                print("#", line)
            self.tell("not ok", report)
        elif report.skipped:  # one case, or a whole file while pytest collects it
            self.tell("ok", report, str(report.longrepr[2]).removeprefix("Skipped: "))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        self.pytest_collectreport(report)
        if report.passed and report.when == "call":
            self.tell("ok", report)

    def pytest_sessionfinish(self):
        print(f"1..{self.cases}")
