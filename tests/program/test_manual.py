"""The manual can be shown, and agrees with the program and the header."""
import os
import re
import tempfile

from helped import commands, options, page, sections
from installed import Tree, exported_functions
from program import ProgramTest, call, run


def plain(text):
    """The text without line breaks, in the characters of a keyboard."""
    for shown, typed in (("\u2010", "-"), ("\u2212", "-"), ("\u2019", "'"), ("\u2018", "'"),
                         ("\u201c", '"'), ("\u201d", '"'), ("\u2264", "<=")):
        text = text.replace(shown, typed)
    return " ".join(text.split())


class Manual(ProgramTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.tree = Tree(os.path.join(folder.name, "root")).install()
        cls.rendered = {}  # what `man` shows, by page
        cls.pages = [f"man{section}/{name}" for section in (1, 3)
                     for name in os.listdir(os.path.join(cls.tree.man, f"man{section}"))]

    def source(self, page):
        with open(os.path.join(self.tree.man, page)) as file:
            return file.read()

    def shown(self, page):
        """A page as `man` shows it, without hyphens at the ends of lines."""
        if page not in self.rendered:
            self.rendered[page] = self.man_of(os.path.join(self.tree.man, page))
        return self.rendered[page]

    def man_of(self, file):
        return self.man("--warnings", "--nh", "--nj", "-E", "UTF-8", "-Tutf8", "-l", file)

    def man(self, *arguments):
        env = {"LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": None,
               "MANROFFSEQ": None, "MANOPT": None}
        result = call(["man", "-P", "cat", *arguments], env=env)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertGreater(len(result.stdout), 500)
        return re.sub(r"\x1b\[[\d;]*m|.\x08", "", result.stdout)

    def section(self, page, name, last=False):
        end = r"\Z" if last else r"^\S"
        found = re.search(rf"^{name}\n(.*?)(?={end})", self.shown(page), re.M | re.S)
        self.assertIsNotNone(found, name)
        return found[1]


class Pages(Manual):
    def test_without_a_warning(self):
        self.assertGreater(len(self.pages), 10)
        for page in self.pages:
            with self.subTest(page=page):
                self.shown(page)
                result = call(["groff", "-mandoc", "-Tutf8", "-ww", "-rLL=78n",
                               os.path.join(self.tree.man, page)])
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_slip_would_be_seen(self):
        """The two checks above report a macro that does not exist."""
        page = os.path.join(self.tree.root, "slip.1")
        with open(page, "w") as file:
            file.write(self.source("man1/nqueens.1") + ".Slip of the pen\n")
        self.assertNotEqual(call(["groff", "-mandoc", "-Tutf8", "-ww", page]).stderr, "")

    def test_nothing_is_left_to_be_filled_in(self):
        version = run("--version").stdout.split()[1]
        for page in self.pages:
            text = self.source(page)
            self.assertNotRegex(text, r"@\w+@")
            self.assertIn(f'.Os "nqueens {version}"', text)

    def test_what_they_refer_to_exists(self):
        for page in self.pages:
            references = re.findall(r"^\.(?:Xr|It Xr) (\S+) (\d)", self.source(page), re.M)
            self.assertTrue(references, page)
            for name, section in references:
                self.assertIn(f"man{section}/{name}.{section}", self.pages, page)


class Program(Manual):
    def test_a_page_for_each_command(self):
        names = {name for name in commands() if name != "help"}
        self.assertLessEqual({f"man1/nqueens-{name}.1" for name in names}, set(self.pages))
        listed = self.section("man1/nqueens.1", "COMMANDS")
        also = self.section("man1/nqueens.1", "SEE ALSO", last=True)
        for name, text in commands().items():
            with self.subTest(command=name):
                self.assertRegex(listed, rf"(?m)^ +{name}\b")
                self.assertIn(plain(text), plain(listed))
                if name in names:
                    self.assertIn(f"nqueens-{name}(1)", listed)
                    self.assertIn(f"nqueens-{name}(1)", also)
                    self.assertIn(f"nqueens-{name} - {text}".replace(" - ", " \u2014 "),
                                  plain(self.section(f"man1/nqueens-{name}.1", "NAME")))

    def test_they_say_what_the_help_says(self):
        """Usage, the sentences about the command, arguments, options and examples."""
        for name in commands():
            if name == "help":
                continue
            with self.subTest(command=name):
                file = f"man1/nqueens-{name}.1"
                shown, parts = plain(self.shown(file)), sections(page(name))
                usage = plain(self.section(file, "SYNOPSIS")).replace("[option ...]", "[OPTION...]")
                for line in re.findall(r"nqueens .*OPTION...]", page(name).split("\n\n")[0]):
                    self.assertIn(line, usage)
                self.assertIn(plain(page(name).split("\n\n")[1]), shown)
                for row in re.findall(r"(?m)^  (\S+) +(\S.*(?:\n {15,}.*)*)",
                                      parts.get("Arguments", "")):
                    self.assertIn(plain(" ".join(row)), shown)
                for line in re.findall(r"(?m)^  (\S.*)", parts["Examples"]):
                    self.assertIn("$ " + line, shown)
                text = self.section(file, "OPTIONS")
                margin = len(re.match(" *", text)[0])
                self.assertEqual(len(re.findall(rf"(?m)^ {{{margin}}}(?:-\w, )?--", text)),
                                 len(options(name)))
                for option in options(name).values():
                    both = (f"-{option.short}, " if option.short else "") + f"--{option.name}" + \
                        (" " + option.argument if option.argument else "")
                    self.assertIn(f"{both} {option.text}", plain(text))

    def test_exit_codes_environment_and_signals(self):
        codes = plain(self.section("man1/nqueens.1", "EXIT STATUS"))
        for code in ("0 Done", "1 A count", "2 Wrong usage", "3 A system", "75 Interrupted",
                     "130 or 143 Interrupted"):
            self.assertIn(code, codes)
        for name in ("NQUEENS_KERNEL", "OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "NO_COLOR", "TERM"):
            self.assertRegex(self.shown("man1/nqueens.1"), rf"\b{name}\b")
        for name in ("SIGUSR1", "SIGINT", "SIGTERM"):
            self.assertRegex(self.section("man1/nqueens-count.1", "SIGNALS"), rf"\b{name}\b")

    def test_examples_are_true(self):
        """Examples that end soon print what the page says."""
        page = self.section("man1/nqueens.1", "EXAMPLES")
        self.assertRegex(page, r"\$ nqueens 10 12\n +724\n +14200\n")
        self.assert_answers("724\n14200\n", "10", "12")
        listed = run("list", "8", "--fundamental", "--limit", "2").stdout
        self.assertIn(plain("$ nqueens list 8 --fundamental --limit 2 " + listed), plain(page))


class Library(Manual):
    def test_names_every_function(self):
        shown = self.section("man3/libnqueens.3", "DESCRIPTION")
        self.assertEqual(set(re.findall(r"\b(nq_\w+)\(\)", shown)), set(exported_functions()))
