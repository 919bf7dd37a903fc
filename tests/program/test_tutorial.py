"""docs/tutorial.md shows the output of the program, if that is the same on every machine."""
import os
import re
import tempfile

from program import PROGRAM, SOURCE, ProgramTest, call

# Commands that take long or need other programs; and those whose output depends on machine or time.
NOT_RUN = re.compile(r"n20|estimate|cc |\./|jq")
OTHERWISE = re.compile(r"--time|ledger merge|audit")


class Tutorial(ProgramTest):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(SOURCE, "docs", "tutorial.md")) as file:
            blocks = re.findall(r"(?:^    .*\n)+", file.read(), re.M)
        text = "".join(re.sub(r"^    ", "", block, flags=re.M) for block in blocks)
        cls.steps = [step.split("\n", 1) for step in text.split("$ ")[1:] if "\n" in step]

    def test_commands_print_what_is_shown(self):
        same = 0
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(PROGRAM, os.path.join(folder, "nqueens"))
            path = folder + os.pathsep + os.environ["PATH"]
            for command, output in self.steps:
                if NOT_RUN.search(command):
                    continue
                with self.subTest(command=command):
                    result = call(["sh", "-c", command + " 2>&1"], cwd=folder,
                                  env={"PATH": path})
                    if not OTHERWISE.search(command):
                        self.assertEqual(result.stdout, output)
                        same += 1
                    else:
                        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertGreater(same, 12)
