# SPDX-License-Identifier: MIT
"""A count as one MPI job of a real Slurm. The job saves its results, requeues itself, and
resumes."""
import os

from launchers import LAUNCHER, MPI_PROGRAM, MPI_SETTINGS, Launching, kill
from program import PROGRAM, printed
from slurm import SCRIPTS, SlurmTest, logs

SLOW = ""  # the argument of slow_or_fast() with which a job that is no array counts slowly


class MpiJobs(Launching, SlurmTest):
    def submit_mpi(self, *slow):
        """Submits the job. Returns its id."""
        settings = {
            **MPI_SETTINGS,
            **self.places,
            "NQUEENS": PROGRAM,
            "NQUEENS_MPI": self.slow_or_fast(MPI_PROGRAM, *slow),
            "NQUEENS_LAUNCH": f"{LAUNCHER} -n 2 --bind-to none",
            "OMPI_MCA_odls_base_sigkill_timeout": "2",
        }
        return self.submit(
            "sbatch",
            "--parsable",
            "--ntasks=2",
            f"--output={self.path('total.txt')}",
            f"--error={self.path('job.log')}",
            os.path.join(SCRIPTS, "mpi.sbatch"),
            "19",
            self.path(),
            env=settings,
        ).strip()

    def test_a_job_that_is_warned_is_requeued_and_resumes(self):
        job = self.submit_mpi(SLOW)
        self.wait_for_recorded(self.path())
        self.slurm.run("scancel", "--signal=TERM", "--batch", job)
        self.speed_up()
        self.start_requeued(job)
        self.assertGreater(self.units_done(self.path()), 0)
        self.wait_for_end(job)
        self.assertEqual(self.text("total.txt"), printed(19), logs(self.folder))
        self.assert_complete(19, self.path())
        self.assertIn("requeued", self.text("job.log"))
        self.assertEqual(self.shown(self.path())["runs"], 2)

    def test_a_job_resumes_after_a_rank_was_killed(self):
        """The job fails. If it is submitted again, it resumes."""
        job = self.submit_mpi(SLOW)
        self.wait_for_recorded(self.path())
        kill(self.programs(job)[-1:])
        self.speed_up()
        self.wait_for_end(job)
        self.assertNotIn(printed(19), self.text("total.txt"))
        self.assertGreater(self.units_done(self.path()), 0)
        self.wait_for_end(self.submit_mpi())
        self.assertIn(printed(19), self.text("total.txt"))
        self.assert_complete(19, self.path())
