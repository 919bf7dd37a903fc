"""The manual can be shown, and agrees with the program and the header."""
import os
import re
import tempfile

from installed import Tree, header, public_functions
from program import ProgramTest, call, run

PAGES = ("man1/nqueens.1", "man3/libnqueens.3", "man3/nqueens.3")


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

    def shown(self, page):
        """A page as `man` shows it, without hyphens at the ends of lines."""
        file = os.path.join(self.tree.man, page)
        return self.man("--warnings", "--nh", "--nj", "-E", "UTF-8", "-Tutf8", "-l", file)

    def man(self, *arguments):
        env = {"LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": None,
               "MANROFFSEQ": None, "MANOPT": None}
        result = call(["man", "-P", "cat", *arguments], env=env)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertGreater(len(result.stdout), 500)
        return re.sub(r"\x1b\[[\d;]*m|.\x08", "", result.stdout)

    def section(self, page, name):
        found = re.search(rf"^{name}\n(.*?)(?=^\S)", self.shown(page), re.M | re.S)
        self.assertIsNotNone(found, name)
        return found[1]


class Pages(Manual):
    def test_without_a_warning(self):
        pages = [os.path.join("man1", name)
                 for name in os.listdir(os.path.join(self.tree.man, "man1"))]
        self.assertIn("man1/nqueens.1", pages)
        for page in {*pages, *PAGES}:
            with self.subTest(page=page):
                self.shown(page)
                result = call(["groff", "-mandoc", "-Tutf8", "-ww", "-rLL=78n",
                               os.path.join(self.tree.man, page)])
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_slip_would_be_seen(self):
        """The two checks above report a macro that does not exist."""
        page = os.path.join(self.tree.root, "slip.1")
        with open(os.path.join(self.tree.man, "man1", "nqueens.1")) as file:
            text = file.read()
        with open(page, "w") as file:
            file.write(text + ".Slip of the pen\n")
        self.assertNotEqual(call(["groff", "-mandoc", "-Tutf8", "-ww", page]).stderr, "")

    def test_nothing_is_left_to_be_filled_in(self):
        version = run("--version").stdout.split()[1]
        for page in PAGES:
            with open(os.path.join(self.tree.man, page)) as file:
                text = file.read()
            self.assertNotRegex(text, r"@\w+@")
            self.assertIn(f'.Os "nqueens {version}"', text)

    def test_what_they_refer_to_exists(self):
        for page in PAGES:
            with open(os.path.join(self.tree.man, page)) as file:
                references = re.findall(r"^\.Xr (\S+) (\d)", file.read(), re.M)
            self.assertTrue(references)
            for name, section in references:
                if (name, section) != ("longjmp", "3"):
                    self.assertTrue(os.path.exists(os.path.join(
                        self.tree.man, f"man{section}", f"{name}.{section}")), (name, section))


class Program(Manual):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        text = run("--help").stdout
        commands, options = re.search(r"\nCommands:\n(.*?)\n\nOptions:\n(.*?)\n\n", text,
                                      re.S).groups()
        cls.commands = re.findall(r"^  (?=(\w+)).{22} (\S.*)$", commands, re.M)
        cls.options = re.findall(r"^  (?:-(\w), |    )--(\w+)(?: (\S+))? +(\S.*)$", options, re.M)
        assert len(cls.commands) == len(commands.splitlines()), commands
        assert len(cls.options) == len(options.splitlines()), options

    def test_every_command(self):
        page = self.section("man1/nqueens.1", "COMMANDS")
        for name, text in self.commands:
            with self.subTest(command=name):
                self.assertRegex(page, rf"(?m)^     {name}\b")
                self.assertIn(plain(text), plain(page))

    def test_every_option(self):
        page = self.section("man1/nqueens.1", "OPTIONS")
        for short, name, argument, text in self.options:
            with self.subTest(option=name):
                both = (rf"-{short}, " if short else "") + rf"--{name}" + \
                    (" " + re.escape(argument) if argument else "")
                self.assertRegex(page, rf"(?m)^     {both}( |$)")
                self.assertIn(plain(text), plain(page))

    def test_which_commands_take_an_option(self):
        page = plain(self.section("man1/nqueens.1", "OPTIONS"))
        self.assertIn("first n to verify, 0 to 27 (default: 0) For verify ", page)
        self.assertIn("For count, list", page)
        self.assertIn("-h, --help show this help -V, --version show the version", page)

    def test_exit_codes(self):
        page = plain(self.section("man1/nqueens.1", "EXIT STATUS"))
        for code in ("0 Done", "1 A count", "2 Wrong usage", "3 A system", "75 Interrupted",
                     "130 or 143 Interrupted"):
            self.assertIn(code, page)

    def test_environment_and_signals(self):
        page = plain(self.shown("man1/nqueens.1"))
        for name in ("NQUEENS_KERNEL", "OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES",
                     "NO_COLOR", "TERM", "SIGUSR1", "SIGINT", "SIGTERM"):
            self.assertRegex(page, rf"\b{name}\b")

    def test_examples_are_true(self):
        """Examples that end soon print what the page says."""
        page = self.section("man1/nqueens.1", "EXAMPLES")
        self.assertRegex(page, r"\$ nqueens 10 12\n +724\n +14200\n")
        self.assert_answers("724\n14200\n", "10", "12")
        listed = run("list", "8", "--fundamental", "--limit", "2").stdout
        self.assertIn(plain("$ nqueens list 8 --fundamental --limit 2 " + listed), plain(page))


class Library(Manual):
    def test_prototypes_are_those_of_the_header(self):
        page = plain(self.section("man3/nqueens.3", "SYNOPSIS"))
        functions = public_functions()
        self.assertGreater(len(functions), 20)
        for name, prototype in functions.items():
            with self.subTest(function=name):
                self.assertIn(prototype.replace("* ", "*") + ";",
                              page.replace("const char * nq", "const char *nq"))
        shown = set(re.findall(r"(nq_\w+)\(", page))
        self.assertEqual(shown, set(functions))

    def test_every_function_has_a_page(self):
        folder = os.path.join(self.tree.man, "man3")
        links = {name[:-2] for name in os.listdir(folder) if name.startswith("nq_")}
        self.assertEqual(links, set(public_functions()))
        self.assertIn("the functions of libnqueens",
                      plain(self.man("--nh", "-M", self.tree.man, "3", "nq_ledger_merge")))
        names = plain(self.section("man3/nqueens.3", "NAME"))
        overview = plain(self.shown("man3/libnqueens.3"))
        for name in links:
            self.assertRegex(names, rf"\b{name}\b")
            self.assertIn(f"{name}()", overview)

    def test_every_function_is_described(self):
        page = plain(self.section("man3/nqueens.3", "DESCRIPTION"))
        for name in public_functions():
            self.assertIn(f"{name}()", page)

    def test_every_status(self):
        statuses = re.search(r"typedef enum nq_status \{(.*?)\}", header(), re.S)[1]
        names = re.findall(r"^    (NQ_\w+)", statuses, re.M)
        self.assertGreater(len(names), 15)
        page = self.section("man3/nqueens.3", "RETURN VALUES")
        self.assertEqual(re.findall(r"^     (NQ_\w+)", page, re.M), names)

    def test_every_option(self):
        members = re.search(r"typedef struct nq_options \{(.*?)\} nq_options;", header(),
                            re.S)[1]
        members = re.sub(r"/\*.*?\*/", "", members, flags=re.S)
        names = re.findall(r"(\w+)[,;]", members)
        self.assertGreater(len(names), 12)
        page = self.section("man3/nqueens.3", "DESCRIPTION")
        page = page[page.index("\n   Options\n"):page.index("\n   Results\n")]
        shown = re.findall(r"^     (\w+(?:, \w+)*)(?:$|  )", page, re.M)
        self.assertEqual(sorted(", ".join(shown).split(", ")), sorted(names))

    def test_every_limit(self):
        page = plain(self.shown("man3/nqueens.3"))
        limits = re.findall(r"\b(NQ_MAX_\w+) = (\d+)", header())
        self.assertGreater(len(limits), 4)
        for name, value in limits:
            with self.subTest(limit=name):
                self.assertRegex(page, rf"\b{name} \({value}\)|{value} \({name}\)"
                                       rf"|{name}\b.{{0,3}}\({value}\)")
