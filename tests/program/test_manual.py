"""The manual can be shown, and agrees with the program."""
import os
import re

from helped import commands, options, page, sections
from installed import InstalledTest
from program import call, printed, read, run, write


def plain(text):
    """The text without line breaks, in the characters of a keyboard."""
    for shown, typed in zip("\u2010\u2212\u2019\u2018\u201c\u201d\u2264", ("-", "-", "'", "'", '"', '"', "<=")):
        text = text.replace(shown, typed)
    return " ".join(text.split())


class Manual(InstalledTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.rendered = {}  # what `man` shows, by page
        cls.pages = ["man1/" + name for name in os.listdir(os.path.join(cls.tree.man, "man1"))]

    def source(self, page):
        return read(os.path.join(self.tree.man, page))

    def shown(self, page):
        """A page as `man` shows it, without hyphens at the ends of lines."""
        if page not in self.rendered:
            result = call(["man", "-P", "cat", "--warnings", "--nh", "--nj", "-E", "UTF-8", "-Tutf8", "-l",
                           os.path.join(self.tree.man, page)],
                          env={"LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": None, "MANROFFSEQ": None,
                               "MANOPT": None})
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertGreater(len(result.stdout), 500)
            self.rendered[page] = re.sub(r"\x1b\[[\d;]*m|.\x08", "", result.stdout)
        return self.rendered[page]

    def section(self, page, name):
        found = re.search(rf"^{name}\n(.*?)(?=^\S|\Z)", self.shown(page), re.M | re.S)
        self.assertIsNotNone(found, name)
        return found[1]


class Pages(Manual):
    def warnings(self, page):
        return call(["groff", "-mandoc", "-Tutf8", "-ww", "-rLL=78n", os.path.join(self.tree.man, page)]).stderr

    def test_without_a_warning(self):
        self.assertGreater(len(self.pages), 10)
        for page in self.pages:
            self.shown(page)
            self.assertEqual(self.warnings(page), "", page)
        slip = self.path("slip.1")
        write(slip, self.source("man1/nqueens.1") + ".Slip of the pen\n")
        self.assertNotEqual(self.warnings(slip), "")

    def test_nothing_is_left_to_be_filled_in_and_references_are_of_pages(self):
        version = run("--version").stdout.split()[1]
        for page in self.pages:
            text = self.source(page)
            self.assertNotRegex(text, r"@\w+@")
            self.assertIn(f'.Os "nqueens {version}"', text)
            references = re.findall(r"^\.(?:Xr|It Xr) (\S+) (\d)", text, re.M)
            self.assertTrue(references, page)
            self.assertLessEqual({f"man{section}/{name}.{section}" for name, section in references},
                                 set(self.pages))


class Program(Manual):
    def test_a_page_for_each_command(self):
        listed, also = (self.section("man1/nqueens.1", name) for name in ("COMMANDS", "SEE ALSO"))
        for name, text in commands().items():
            self.assertRegex(listed, rf"(?m)^ +{name}\b")
            self.assertIn(plain(text), plain(listed))
            if name != "help":
                self.assertIn(f"nqueens-{name}(1)", listed)
                self.assertIn(f"nqueens-{name}(1)", also)
                self.assertIn(f"nqueens-{name} \u2014 {text}".replace(" - ", " \u2014 "),
                              plain(self.section(f"man1/nqueens-{name}.1", "NAME")))

    def test_they_say_what_the_help_says(self):
        """Usage, the sentences about the command, arguments, options and examples."""
        for name in commands():
            if name != "help":
                self.assert_says_the_same(f"man1/nqueens-{name}.1", page(name), options(name).values())

    def assert_says_the_same(self, file, helped, taken):
        shown, parts, (usage, about, *_) = plain(self.shown(file)), sections(helped), helped.split("\n\n")
        synopsis = plain(self.section(file, "SYNOPSIS")).replace("[option ...]", "[OPTION...]")
        for line in re.findall(r"nqueens .*OPTION...]", usage):
            self.assertIn(line, synopsis)
        rows = re.findall(r"(?m)^  (\S+) +(\S.*(?:\n {15,}.*)*)", parts.get("Arguments", ""))
        for text in (plain(about), *(plain(" ".join(row)) for row in rows),
                     *("$ " + line for line in re.findall(r"(?m)^  (\S.*)", parts["Examples"]))):
            self.assertIn(text, shown)
        text = self.section(file, "OPTIONS")
        margin = len(re.match(" *", text)[0])
        self.assertEqual(len(re.findall(rf"(?m)^ {{{margin}}}(?:-\w, )?--", text)), len(taken))
        for option in taken:
            names = f"--{option.name} {option.argument}".rstrip()
            names = f"-{option.short}, {names}" if option.short else names
            self.assertIn(f"{names} {option.text}", plain(text))

    def test_exit_codes_environment_and_signals(self):
        codes = plain(self.section("man1/nqueens.1", "EXIT STATUS"))
        for code in ("0 Done", "1 A count", "2 Wrong usage", "3 A system", "75 Interrupted",
                     "130 or 143 Interrupted"):
            self.assertIn(code, codes)
        for name in ("NQUEENS_KERNEL", "OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES",
                     "GOMP_CPU_AFFINITY", "NO_COLOR", "TERM"):
            self.assertRegex(self.shown("man1/nqueens.1"), rf"\b{name}\b")
        for name in ("SIGUSR1", "SIGINT", "SIGTERM"):
            self.assertRegex(self.section("man1/nqueens-count.1", "SIGNALS"), rf"\b{name}\b")

    def test_examples_that_end_soon_print_what_the_page_says(self):
        page = plain(self.section("man1/nqueens.1", "EXAMPLES"))
        self.assertIn(plain("$ nqueens 10 12 " + printed(10, 12)), page)
        listed = run("list", "8", "--fundamental", "--limit", "2").stdout
        self.assertIn(plain("$ nqueens list 8 --fundamental --limit 2 " + listed), page)
