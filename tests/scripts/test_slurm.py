# SPDX-License-Identifier: MIT
"""Counts as job arrays of a real Slurm. Elements are stopped, and the total is right."""
import os
import unittest

from launchers import kill
from ledgers import LedgerTest
from program import DONE, PROGRAM, SYSTEM, USAGE, call, document, printed, read, write
from slurm import SCRIPTS, SlurmTest


class Arrays(SlurmTest):
    def setUp(self):
        super().setUp()
        # The name of the folder has a pattern that sbatch replaces in names of files.
        self.folder = self.path("%a")
        os.mkdir(self.folder)

    def test_an_element_may_have_several_shards(self):
        """An element counts its shards into one ledger, and a kill loses no shard that is done. The
        job id of the last element is that of the whole array. If this element is killed, the script
        must requeue this element and not the whole array."""
        array, merge = self.submit_array(19, "8/2", slow=(1, 2))
        ledger = self.part(2, 2)
        self.wait_for("in its second shard", lambda: self.shown_runs(ledger) >= 2)
        kill(self.programs(array, "2"))
        self.speed_up()
        self.wait_for("requeued", lambda: self.is_requeued(f"{array}_2"))
        self.assertEqual(self.state(f"{array}_1"), "RUNNING")
        self.start_requeued(f"{array}_2")
        self.wait_for_end(merge)
        self.assert_total(19, merge)
        self.assertRegex(
            self.text("part-2.log"), "element 2 of 2: stopped with exit code 137; requeued"
        )
        self.assertIn("shard 7 of 8 is done", self.text("part-1.log"))
        self.assertEqual(
            sorted(name for name in os.listdir(self.folder) if ".ledger" in name),
            ["part-1-of-2.ledger", "part-2-of-2.ledger", "whole.ledger"],
        )

    def test_the_same_command_counts_what_a_cancelled_element_left(self):
        """While an element is missing, there is no total. The same command counts what is left."""
        array, merge = self.submit_array(19, 2, slow=(2,))
        ledger = self.part(2, 2)
        self.wait_for_recorded(ledger)
        (process,) = self.programs(array, "2")
        # This Slurm gives no element its own cores, so the threads are not bound.
        for thread in os.listdir(f"/proc/{process}/task"):
            self.assertEqual(os.sched_getaffinity(int(thread)), os.sched_getaffinity(0))
        self.slurm.run("scancel", f"{array}_2")
        self.speed_up()
        self.wait_for_end(f"{array}_1", f"{array}_2", merge)
        self.assertEqual(self.text(f"total-{merge}.txt"), "")
        self.assertFalse(os.path.exists(self.path("whole.ledger")))
        document = self.shown(self.part(1, 2))
        self.assertEqual(document["runs_open"] + document["runs_killed"], 0)
        self.assertGreater(int(document["units_done"]), int(document["units"]) // 3)
        self.assertGreater(self.units_done(ledger), 0)
        again, merge = self.submit_array(19, 2)
        self.wait_for_end(again, merge)
        self.assert_total(19, merge)
        self.assertEqual(self.shown(self.part(1, 2))["runs"], 1, "it was done")

    def test_a_job_at_its_time_limit_is_requeued(self):
        """Slurm sends its warning a minute before the limit, and looks at limits twice a minute."""
        array, merge = self.submit_array(
            22, 1, "--time=2", "--account=physics", "--array=1%1", slow=(1,)
        )
        self.assertIn(" Account=physics ", self.slurm.run("scontrol", "show", "job", merge).stdout)
        self.wait_for("requeued", lambda: self.is_requeued(f"{array}_1"))
        self.assertRegex(
            self.text("part-1.log"),
            rf"(?s)interrupted; {self.units_done(self.part(1, 1))} of .*requeued",
        )
        self.assertEqual(self.shown(self.part(1, 1))["runs_killed"], 0)
        self.assertEqual(self.state(merge), "PENDING")


class Scripts(LedgerTest):
    """Tests the scripts themselves, without Slurm."""

    def call_script(self, name, *arguments, **env):
        """Runs a script of scripts/slurm with these environment variables."""
        return call(
            ["bash", os.path.join(SCRIPTS, name), *arguments], env={"NQUEENS": PROGRAM, **env}
        )

    def test_arguments_that_every_element_would_refuse_are_not_submitted(self):
        for n, words, named in (
            ("29", [], "0 to 28"),
            ("17", ["--bogus"], "--bogus"),
            ("17", ["--fundamental"], "whole"),
            ("17", ["--shard", "1/2"], "twice"),
            ("17", ["--kernal", "avx2"], "--kernal"),
            ("17", ["--board", "/dev/null"], "/dev/null"),
            ("17", ["--dev"], "needs a value"),
        ):
            result = self.call_script("submit-array", n, "4/2", self.path("new"), "--", *words)
            self.assertEqual(result[:2], (USAGE, ""))
            self.assert_one_message(result.stderr, named)
            self.assertFalse(os.path.exists(self.path("new")))

    def test_elements_without_shards_or_with_too_many_are_not_submitted(self):
        for shards in ("4/5", "0", "4/0", "8001/1", "x"):
            result = self.call_script("submit-array", "17", shards, self.path("new"))
            self.assertEqual(result[:2], (USAGE, ""))
            self.assertIn(f"'{shards}': expected K or K/E", result.stderr)

    def test_the_trial_of_the_arguments_cannot_count(self):
        """Before submit-array submits anything, it tries the arguments in a call of the program.
        The ledger of this call is a folder, so that the program cannot begin to count."""
        write(self.path("trial"), '#!/bin/bash\necho "${@: -1}"\nexit 2\n', 0o755)
        result = self.call_script(
            "submit-array", "12", "2", self.path("new"), NQUEENS=self.path("trial")
        )
        self.assertTrue(os.path.isdir(result.stderr.rstrip("\n")), result)

    def test_the_id_of_a_job_on_another_cluster_is_understood(self):
        """For such a job, sbatch prints the cluster after the id."""
        write(
            self.path("sbatch"),
            f"#!/bin/sh\necho \"$*\" >>'{self.path('calls')}'\necho '7;far'\n",
            0o755,
        )
        arguments = ("submit-array", "12", "2", self.path("new"), "--clusters=far", "--", "-t", "1")
        result = self.call_script(*arguments, PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(
            result[:2],
            (DONE, f"array 7, merge 7: the total will be in {self.path('new/total-7.txt')}\n"),
        )
        self.assertIn("--dependency=afterok:7 ", read(self.path("calls")))
        self.assertIn(f"/array.sbatch 12 2/2 {self.path('new')} -t 1\n", read(self.path("calls")))

    def test_only_elements_of_the_array_make_their_folder(self):
        folder = self.path("new/folder")
        result = self.call_script("array.sbatch", "12", "4/2", folder)
        self.assertEqual(result[:2], (USAGE, ""))
        self.assertRegex(result.stderr, r"\Ausage: sbatch --array=.*\n\Z")
        result = self.call_script("array.sbatch", "12", "4/2", folder, SLURM_ARRAY_TASK_ID="3")
        self.assertEqual(result[:2], (USAGE, ""))
        self.assertIn("element 3 of 2: expected --array=1-2", result.stderr)
        self.assertFalse(os.path.exists(folder))
        result = self.call_script("array.sbatch", "12", "4/2", folder, SLURM_ARRAY_TASK_ID="2")
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertEqual(os.listdir(folder), ["part-2-of-2.ledger"])
        self.assertEqual(
            self.shown(os.path.join(folder, "part-2-of-2.ledger"))["missing"], ["1/4", "3/4"]
        )

    def test_a_job_is_requeued_if_that_may_help_unless_cancelled(self):
        """A job is requeued if its program was killed, at most twenty times. It is not requeued if
        the program failed, or had counted no unit at the time limit."""
        array = ("array.sbatch", "12", "1", self.folder)
        mpi = ("mpi.sbatch", "12", self.path())
        # What the program does: it is killed, gets the warning of the time limit, or fails.
        killed = "kill -9 $$"
        limited = "trap '' TERM; kill $PPID; sleep 1; exit 75"
        failed = "exit 3"
        for script, restarts, state, does, code, is_requeued in (
            (array, "19", "RUNNING", killed, 137, True),
            (array, "20", "RUNNING", killed, 137, False),
            (array, "0", "COMPLETING", killed, 137, False),
            (array, "0", "RUNNING", limited, 75, False),
            (array, "0", "RUNNING", failed, 3, False),
            (mpi, "0", "RUNNING", limited, 75, False),
        ):
            case = (script, restarts, state, does)
            self.write_script("squeue", f"echo {state}")
            self.write_script("scontrol", 'echo "$@"')
            self.write_script("nqueens", f"[ $1 != ledger ] || exec echo units_done: 0; {does}")
            result = self.call_script(
                *script,
                SLURM_ARRAY_TASK_ID="1",
                SLURM_ARRAY_JOB_ID="1",
                SLURM_JOB_ID="1",
                SLURM_RESTART_COUNT=restarts,
                NQUEENS=self.path("nqueens"),
                NQUEENS_MPI=self.path("nqueens"),
                NQUEENS_LAUNCH="env",
                PATH=f"{self.folder}:{os.environ['PATH']}",
            )
            self.assertEqual(result.returncode, code, (case, result.stderr))
            self.assertEqual(result.stdout, "requeue 1_1\n" if is_requeued else "", case)
            told = "not requeued: expected a longer --time" in result.stderr
            self.assertEqual(told, does == limited, case)

    def write_script(self, name, line):
        """Makes a shell script of one line in the folder."""
        write(self.path(name), f"#!/bin/sh\n{line}\n", 0o755)

    def test_an_element_takes_the_threads_that_its_arguments_name(self):
        arguments = ("array.sbatch", "12", "1", self.folder, "--threads", "1", "--time")
        variables = {"SLURM_ARRAY_TASK_ID": "1", "SLURM_CPUS_PER_TASK": "2"}
        result = self.call_script(*arguments, **variables)
        self.assertEqual(result[:2], (DONE, printed(12)))
        self.assertIn(" 1 thread ", result.stderr)

    @unittest.skipUnless(document("info")["devices"], "no device")
    def test_an_element_on_a_device_counts(self):
        """Options for threads and places are for CPUs, so the script adds none."""
        arguments = ("array.sbatch", "14", "1", self.folder, "--device", "all")
        variables = {"SLURM_ARRAY_TASK_ID": "1", "SLURM_CPUS_PER_TASK": "1"}
        result = self.call_script(*arguments, **variables)
        self.assertEqual(result[:2], (DONE, printed(14)), result.stderr)

    def test_a_merge_without_a_part_counts_nothing(self):
        """The ledger of element 2 is missing."""
        part = self.make_part(12, self.path("part-1-of-2.ledger"), "1/2")
        result = self.call_script("merge.sbatch", "12", "2", self.folder)
        self.assertEqual(result[:2], (SYSTEM, ""))
        self.assertEqual(os.listdir(self.folder), [os.path.basename(part)])

    def test_a_killed_merge_is_done_again(self):
        """What the killed merge left does not get into the new ledger, and is deleted."""
        parts = [
            self.make_part(12, self.path(f"part-{element}-of-2.ledger"), f"{element}/2")
            for element in (1, 2)
        ]
        write(self.path("merging.ledger"), b"left")
        result = self.call_script("merge.sbatch", "12", "2", self.folder)
        self.assertEqual(result[:2], (DONE, printed(12)))
        self.assertEqual(result.stderr.count("solutions:"), 1)
        self.assertIn(self.path("whole.ledger"), result.stderr)
        self.assertNotIn("merging", result.stderr)
        self.assert_complete(12, self.path("whole.ledger"))
        self.assertEqual(
            sorted(os.listdir(self.folder)), sorted(["whole.ledger", *map(os.path.basename, parts)])
        )
