# SPDX-License-Identifier: MIT
"""Counts on the devices of this machine. PoCL turns the CPUs into a device, and Mesa's rusticl
turns them into another device. The program that NQUEENS_FAULTY names has a device that fails
(tests/helpers/faulty_device.c)."""
import json
import os
import re
import signal
import unittest

from ledgers import SAVED, UNSEEN, LedgerTest, falsify_unit, units
from program import (
    DONE,
    SYSTEM,
    USAGE,
    WRONG,
    document,
    documents,
    printed,
    run,
    succeed,
    through_shell,
    write,
)
from terminals import bars, run_on_terminal, shown

FAULTY = os.environ["NQUEENS_FAULTY"]
DEVICES = document("info")["devices"]
ON = ("--device", "0")
HERE = ("--method", "colours", "--kernel", "scalar64")
# With this variable PoCL makes two devices.
TWO = {"POCL_DEVICES": "basic pthread"}
NAMES = [device["name"] for device in document("info", env=TWO)["devices"]]
need_two = unittest.skipUnless(len(NAMES) == 2, "PoCL makes no second device")


def recorded_kernel(name):
    """Returns the kernel of a device with this name as ledgers record it, which is one word of at
    most 64 bytes."""
    return re.sub(rb"[^!-~]", b"_", f"opencl {name}".encode())[:64].decode()


@unittest.skipUnless(DEVICES, re.search(r"devices: +(.*)", run("info").stdout)[1])
class DeviceTest(LedgerTest):
    """A test that is skipped if this machine has no device."""


class Counts(DeviceTest):
    def test_all_devices_count(self):
        self.assert_answers(printed(0, 5, 12, 13), "0", "5", "12", "13", "--device", "all")
        self.assert_answers(printed(13), "13", "--kernel", "opencl")
        self.assertRegex(run("info").stdout, r"\ndevices: +name ")
        counted = document("12", "--device", "all")["devices"]
        for number, (device, used) in enumerate(zip(DEVICES, counted, strict=True)):
            self.assert_has(used, number=number, name=device["name"])
        told = f"kernel opencl, device 0 ({DEVICES[0]['name']})\n"
        self.assertIn(told, run("12", *ON, "--time").stderr)

    def test_the_compiler_is_not_silent(self):
        """PoCL compiles for seconds, unless it has kept what it compiled before. The program says
        that the device's compiler is at work in both cases."""
        whole = self.make(12, self.path())
        for command in ("12", "estimate 12", "verify 12 --minutes 0.01", f"ledger audit {whole}"):
            result = run(*command.split(), *ON, "--progress", "json")
            # The time of the burn-in may be over before it counts a board.
            self.assertIn(result.returncode, (DONE, USAGE), result.stderr)
            lines = documents("\n".join(re.findall("^{.*", result.stderr, re.M)))
            told = [line for line in lines if line["phase"] == "compiling for device 0"]
            self.assertGreater(len(told), 0, command)
            for line in told:
                self.assert_has(line, n=12, units="0", done=False)
        session = run_on_terminal("12", *ON, env={"POCL_CACHE_DIR": self.path("a")})
        self.assertIn("n = 12: compiling for device 0", bars(session))
        for more, code in ([], 130), (["--ledger", self.path("new")], SAVED):
            session = run_on_terminal(
                "12",
                *ON,
                *more,
                env={"POCL_CACHE_DIR": self.path(f"b{code}")},
                signals=[("compiling", signal.SIGINT)],
            )
            self.assertEqual(session.code, code, session.written)
            # PoCL may write lines before this one.
            self.assertRegex(
                shown(session), r"nqueens: n = 12: interrupted before the count began\Z"
            )

    @need_two
    def test_two_devices_share_the_units(self):
        """The board has more units than one thread takes at first, so other threads get some,
        too."""
        result = run("17", "--device", "all", "--ledger", self.path(), env=TWO)
        self.assertEqual(result[:2], (DONE, printed(17)), result.stderr)
        recorded = {unit.kernel for unit in units(self.path())}
        self.assertEqual(recorded, {recorded_kernel(name) for name in NAMES})

    def test_bench_times_devices_after_kernels(self):
        """`bench --device` times only the device, unless threads or kernels are listed."""
        for options, labels in (
            ("", ["opencl"]),
            ("-t 1,2 --kernel scalar64", ["scalar64", "scalar64", "opencl"]),
        ):
            measured = document("bench", "8", "-q", "--repeat", "1", *ON, *options.split())
            medians = [one for one in measured["benchmarks"] if one["run_type"] == "aggregate"]
            self.assertEqual([entry["kernel"] for entry in medians], labels)
            for entry in medians:
                # Only timings of threads have an efficiency.
                self.assertNotEqual("devices" in entry, "efficiency" in entry)
            self.assertEqual(medians[-1]["devices"], [{"number": 0, "name": DEVICES[0]["name"]}])

    @unittest.skipIf(os.environ["NQUEENS_SANITIZED"], "rusticl leaks a little")
    def test_another_driver_counts(self):
        """Mesa's rusticl runs on the CPU. In Debian 12 its loops end after 65,535 turns, and it
        compiles the program of a board for a minute, unless it has kept what it compiled before. So
        only one board is counted, a small one."""
        mesa = {"RUSTICL_ENABLE": "llvmpipe", "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/rusticl.icd"}
        names = {device["name"] for device in document("info", env=mesa)["devices"]}
        if not names:
            self.skipTest("no rusticl")
        all_drivers = {**mesa, "OCL_ICD_VENDORS": os.path.dirname(mesa["OCL_ICD_VENDORS"])}
        both = {device["name"] for device in document("info", env=all_drivers)["devices"]}
        self.assertLessEqual(names | {device["name"] for device in DEVICES}, both)
        # The driver's compiler may write warnings to stderr.
        self.assertEqual(run("12", *ON, env=mesa)[:2], (DONE, printed(12)))

    def test_wrong_devices_are_refused(self):
        beyond = str(len(DEVICES))
        self.assert_each_refused(
            (f"8 --device {beyond}", f"'{beyond}'", "the last device"),
            ("8 --device 0,", "'0,'", "0,2-3"),
            ("8 --device 0,0", "'0,0'", "0 twice"),
        )
        self.assert_fails(
            USAGE,
            run("--board", "-", "--device", "0", stdin="Q...\n....\n....\n....\n"),
            "board",
            "device '0'",
        )
        self.assert_fails(USAGE, run("8", "--kernel", "opencl", "--device", beyond), f"'{beyond}'")
        searched = self.make(10, self.path(), "--method", "search")
        for command in (["10", "--ledger"], ["ledger", "audit"]):
            self.assert_fails(USAGE, run(*command, searched, *ON), "method colours, not search")


class Drivers(DeviceTest):
    def test_info_says_the_rest_if_a_driver_crashes(self):
        """A child process asks the drivers, so that the program survives a driver that crashes."""
        for ends, said in (("abort()", "Aborted"), ("_Exit(9)", "crashes")):
            function = f"__attribute__((constructor)) static void crash(void) {{ {ends}; }}\n"
            write(self.path("crash.c"), "#include <stdlib.h>\n" + function)
            succeed("cc", "-shared", "-fPIC", "-o", self.path("crash.so"), self.path("crash.c"))
            write(self.path("crash.icd"), self.path("crash.so"))
            env = {"OCL_ICD_VENDORS": self.path("crash.icd")}
            found = document("info", env=env)
            self.assertEqual(
                (found["devices"], found["version"]), ([], run("--version").stdout.split()[1])
            )
            self.assertIn(said, found["devices_failure"])
            self.assertRegex(
                run("info", env=env).stdout, rf"(?s)kernel: .*threads: .*devices: +0; .*{said}"
            )

    @unittest.skipIf(os.environ["NQUEENS_SANITIZED"], "AddressSanitizer takes the address space")
    def test_too_few_addresses_are_an_error(self):
        self.assert_fails(
            SYSTEM,
            through_shell('ulimit -v 100000 && exec "$@"', "12", *ON),
            "more memory by 'ulimit -v'",
        )


class Ledgers(DeviceTest):
    def test_ledgers_are_carried_on_by_another_kernel(self):
        for number, (first, second) in enumerate(((ON, HERE), (HERE, ON))):
            ledger = self.make_part(13, self.path(f"{number}"), "1/2", *first)
            rest = self.make_part(13, self.path(f"{number}b"), "2/2", *second)
            merged = self.path(f"merged{number}")
            self.assertEqual(run("ledger", "merge", ledger, rest, "-o", merged).returncode, DONE)
            self.assert_complete(13, merged)
            self.assert_right(13, ledger, *second)
            for file in (merged, ledger):
                self.assertEqual(
                    {unit.kernel for unit in units(file)},
                    {"scalar64", recorded_kernel(DEVICES[0]["name"])},
                )

    def test_devices_and_cpus_audit_each_other(self):
        """A CPU audits units of a device, and a device audits units of a CPU."""
        for number, (counted_by, audited_by) in enumerate(((ON, ()), (HERE, ON))):
            ledger = self.make(13, self.path(f"{number}"), *counted_by)
            command = ("ledger", "audit", ledger, "--sample", "100%", *audited_by)
            self.assert_has(
                document(*command),
                differences="0",
                same_kernel="0",
                units_audited=str(len(units(ledger))),
            )
            unit = falsify_unit(ledger, 3)
            result = run(*command, "--json", env={"HWLOC_SYNTHETIC": "pu:1"})
            self.assertEqual(result.returncode, WRONG)
            # Threads that serve a device do not take turns, so no note says that they share PUs.
            self.assertNotIn("threads share", result.stderr)
            (difference,) = json.loads(result.stdout)["difference"]
            self.assertEqual(difference["unit"], str(unit))
            self.assertEqual("opencl" in difference["kernel"], audited_by == ON)

    def test_results_survive_signals_and_kills(self):
        ledger, done = self.path(), 0
        for number in (signal.SIGINT, signal.SIGKILL):
            process = self.start("18", "--ledger", ledger, *ON, *UNSEEN)
            self.wait_for_units(ledger, process, done + 1)
            process.send_signal(number)
            result = self.end(process)
            before, done = done, self.units_done(ledger)
            self.assertGreater(done, before)
            if number == signal.SIGINT:
                self.assert_fails(SAVED, result, "interrupted", "saved", ledger, f"{done} of ")
        self.assert_right(18, ledger)


class Faults(DeviceTest):
    def fails(self, fault, code, *named, n=12, arguments=()):
        """Counts with a device that has this fault. Asserts that the program exits with this code,
        and that its message contains these texts. Returns the message."""
        result = run(str(n), *ON, *UNSEEN, *arguments, program=FAULTY, env={"DEVICE_FAULT": fault})
        self.assert_fails(code, result, "device 0", *named)
        return result.stderr

    def test_wrong_answers_are_found(self):
        """A device with wrong answers is refused at the start. If wrong answers begin later, a spot
        check finds them. The message names a unit, and says what the device and the CPU counted."""
        for n in 12, 13:
            for fault, said in (
                (f"sum {n} 1", f"fails its test: n = {n}, unit"),
                (f"drawn {n} 2", ": unit "),
            ):
                text = self.fails(fault, WRONG, said, "kernel", n=n)
                found, expected = re.findall(r"(\d+) solutions", text)
                self.assertEqual(int(found), int(expected) + 1)
        arguments = "verify 12..12 --device all --json".split()
        result = run(*arguments, program=FAULTY, env={"DEVICE_FAULT": "sum 12 1"})
        self.assert_fails(WRONG, result, "fails its test")
        # The X of a spot check is picked at random.
        messages = {self.fails("drawn 13 2", WRONG, n=13) for _ in range(6)}
        self.assertGreater(len(messages), 1)

    def test_a_sum_carries_beyond_32_bits(self):
        text = self.fails("carry 12 2", WRONG, ": unit ")
        found, expected = re.findall(r"(\d+) solutions", text)
        self.assertEqual(int(found), int(expected) + 2**32 - 1)

    def test_failures_end_the_count_with_a_message(self):
        for fault, *named in (
            ("launch 12 0", "launch: out of resources"),
            ("event 12 1", "not available"),
            ("build 12 2", "refuses"),
            ("read 12 2", "read: out of resources"),
            ("build 12 1", "refuses the program: colours.cl:2: error: too hard\n"),
            ("local 0 1000", "1000 bytes of local memory", "n = 12"),
        ):
            self.fails(fault, SYSTEM, *named)
        self.fails("local 0 32768", SYSTEM, "32768 bytes", "n = 28", n=28)
        self.assert_answers(
            printed(12), "12", *ON, program=FAULTY, env={"DEVICE_FAULT": "local 0 32768"}
        )

    @need_two
    def test_all_leaves_out_a_device_that_cannot_count(self):
        """`--device all` leaves out a device that cannot count. It is an error to name this device
        by its number, or if there is no other device."""
        small, fault = "1000 bytes of local memory", {**TWO, "DEVICE_FAULT": "basic 0 1000"}
        code, stdout, stderr = run("12", "--device", "all", "--json", program=FAULTY, env=fault)
        found = json.loads(stdout)
        self.assertEqual((code, found["solutions"]), (DONE, printed(12).strip()))
        self.assertEqual([device["number"] for device in found["devices"]], [1])
        self.assert_one_message(
            stderr, f"warning: device 0 is left out: device 0 ({NAMES[0]})", small
        )
        self.assert_answers(printed(12), "12", "--device", "all", "-q", program=FAULTY, env=fault)
        self.make(12, self.path())
        for command in (
            "estimate 12",
            f"ledger audit {self.path()}",
            "verify 12..12 --minutes 0.2",
        ):
            code, _, stderr = run(*command.split(), "--device", "all", program=FAULTY, env=fault)
            self.assertEqual(code, DONE, command)
            self.assertEqual((stderr.count("is left out"), stderr.count(small)), (1, 1), command)
        self.assert_fails(SYSTEM, run("12", "--device", "0,1", program=FAULTY, env=fault), small)
        code, stdout, stderr = run(
            "12", "--device", "all", program=FAULTY, env={**TWO, "DEVICE_FAULT": "local 0 1000"}
        )
        self.assertEqual((code, stdout), (SYSTEM, ""))
        self.assertNotIn("is left out", stderr)
        self.assertEqual(stderr.count(f"device 0 ({NAMES[0]}) has {small}"), 1)

    def test_a_sum_that_outgrows_its_bits_is_refused(self):
        for n in 12, 13:
            self.fails(f"full {n} 2", WRONG, "too large", n=n)

    def test_a_failure_amid_the_work_loses_no_finished_unit(self):
        """The units that were finished are in the ledger, and the count can be resumed."""
        ledger = self.path()
        self.fails("launch 18 2", SYSTEM, "out of resources", n=18, arguments=("--ledger", ledger))
        done = self.units_done(ledger)
        self.assertGreater(done, 0)
        self.assertLess(done, int(self.shown(ledger)["units"]))
        self.assert_right(18, ledger)
