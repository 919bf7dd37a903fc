"""README.md and the pages of docs/ show what the program prints, and facts that it knows. docs/python.md has a
test of its own."""
import glob
import os
import re
import tempfile

from ledgers import SAVED
from program import DONE, PROGRAM, SOURCE, ProgramTest, beside_turns, call, run

PAGES = ["README.md", *sorted(os.path.relpath(page, SOURCE)
                              for page in glob.glob(os.path.join(SOURCE, "docs", "*.md")))]
STEP = re.compile(r"^(?:host\d)?\$ ", re.MULTILINE)
# The tests of these are named after what they need: packages, install, cluster.
ELSEWHERE = re.compile(r"apt-get|dpkg-buildpackage|meson |^cc |^\./progress|scripts/slurm|n19/")
LONG = re.compile(r"nqueens (estimate )?(18|20)\b")

# What depends on the machine or the moment, and what stands for it here.
MASKS = [(r"\d+(\.\d+)?(e\+\d+)? (s|ms|min|h|core-seconds)(?!\w)", "TIME"),
         (r"\d+(\.\d+)?(e\+\d+)? (?=%|pairs/s|nodes/s)", "N "),
         (r"\d+ of (?=\d+ units)|(?<=solutions: )\d+(?= \(so far)|(?<=measured: )\d+", "N "),
         (r"\d{4}-\d\d-\d\dT\S+", "DATE"),
         (r"(?<=kernel )\w+|(?<=\()\d+(?= bound)", "X"),
         (r"^\S+ \d+(?= TIME DATE)", "HOST N")]


def masked(output):
    text = re.sub(r"^nqueens: warning: .*\n", "", beside_turns(output), flags=re.M)
    text = re.sub(r" +", " ", text)
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text, flags=re.M)
    return text


def read(page):
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        return file.read()


def blocks(page):
    """The page's blocks with commands, each a list of commands with their output."""
    for block in re.findall(r"(?:^    .*\n)+", read(page), re.M):
        text = re.sub(r"^    ", "", block, flags=re.M)
        steps = [step.partition("\n")[::2] for step in STEP.split(text)[1:]]
        if steps:
            yield [(command, output) for command, output in steps if not ELSEWHERE.search(command)]


class Pages(ProgramTest):
    def setUp(self):
        if run("0", "--kernel", "avx2").returncode != DONE:
            self.skipTest("the pages show what is counted from AVX2 on")

    def run_step(self, folder, command, shown):
        """^C in the output is a signal after two seconds."""
        interrupted = shown.startswith("^C\n")
        before = "timeout -s INT --preserve-status 2 " if interrupted else ""
        env = {"PATH": folder + os.pathsep + os.environ["PATH"], "OMP_NUM_THREADS": "2",
               "NQUEENS_KERNEL": "avx2"}
        result = call(["sh", "-c", f"{before}{command} 2>&1"], cwd=folder, env=env)
        if shown:
            self.assertEqual(masked(result.stdout), masked(shown.removeprefix("^C\n")))
        else:
            self.assertIn(result.returncode, (DONE, SAVED), result.stdout)

    def test_commands_print_what_is_shown(self):
        compared = 0
        for page in PAGES:
            with tempfile.TemporaryDirectory() as folder:
                for name in ("nqueens", "scripts/nqueens"):
                    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                    os.symlink(PROGRAM, os.path.join(folder, name))
                os.mkdir(os.path.join(folder, "docs"))
                for block in blocks(page):
                    if os.environ["NQUEENS_SANITIZED"] and any(LONG.search(step[0]) for step in block):
                        with self.subTest(page=page):
                            self.skipTest("these counts take minutes in this build")
                        continue
                    for command, shown in block:
                        with self.subTest(page=page, command=command):
                            self.run_step(folder, command, shown)
                            compared += shown != ""
                self.compare_pictures(folder)
        self.assertGreater(compared, 20)

    def compare_pictures(self, folder):
        for name in os.listdir(os.path.join(folder, "docs")):
            with self.subTest(picture=name):
                with open(os.path.join(folder, "docs", name), encoding="utf-8") as picture:
                    self.assertEqual(picture.read(), read(os.path.join("docs", name)))


class Facts(ProgramTest):
    """The program tells its facts by `info`; the README has them in sentences."""

    def test_methods_change_where_the_readme_says(self):
        text = re.search(r"takes `join` from n = ([^:]*):", re.sub(r"\s+", " ", read("README.md")))[1]
        said = {kernel: int(part.split()[0]) for part in text.split(", ")
                for kernel in re.findall(r"`(\w+)`", part)}
        self.assertEqual(set(said), {"avx512", "avx2", "avx512bw", "neon", "scalar64"})
        for kernel in said:
            info = run("info", env={"NQUEENS_KERNEL": kernel})
            found = re.search(r"search to n = \d+, join from n = (\d+)", info.stdout)
            if found:
                with self.subTest(kernel=kernel):
                    self.assertEqual(int(found[1]), said[kernel])
