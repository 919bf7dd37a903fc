"""The manual can be shown, and agrees with the program and the header."""
import os
import re
import tempfile

from helped import commands, options, page, sections
from installed import Tree, header, public_functions
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
        self.assertGreater(len(self.pages), 50)
        for page in self.pages:
            if self.source(page).startswith(".so "):
                continue
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
            if not text.startswith(".so "):
                self.assertIn(f'.Os "nqueens {version}"', text)

    def test_what_they_refer_to_exists(self):
        for page in self.pages:
            references = re.findall(r"^\.(?:Xr|It Xr) (\S+) (\d)|^\.so man(\d)/(\S+)\.\d$",
                                    self.source(page), re.M)
            self.assertTrue(references, page)
            for name, section, other_section, other in references:
                self.assertIn(f"man{section or other_section}/{name or other}."
                              f"{section or other_section}", self.pages, page)


class Program(Manual):
    def test_a_page_for_each_command(self):
        names = {name for name in commands() if name != "help"}
        self.assertLessEqual({f"man1/nqueens-{name}.1" for name in names}, set(self.pages))
        listed = self.section("man1/nqueens.1", "COMMANDS")
        also = self.section("man1/nqueens.1", "SEE ALSO", last=True)
        for name, text in commands().items():
            with self.subTest(command=name):
                self.assertRegex(listed, rf"(?m)^     {name}\b")
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
                self.assertEqual(len(re.findall(r"(?m)^     (?:-\w, )?--", text)),
                                 len(options(name)))
                for option in options(name).values():
                    both = (f"-{option.short}, " if option.short else "") + f"--{option.name}" + \
                        (" " + option.argument if option.argument else "")
                    self.assertIn(f"{both} {option.text}", plain(text))

    def test_synopsis_of_nqueens_mpi(self):
        if "man1/nqueens-mpi.1" not in self.pages:
            self.skipTest("nqueens-mpi is not built")
        self.assertEqual(plain(self.section("man1/nqueens-mpi.1", "SYNOPSIS")),
                         "mpirun -n ranks nqueens-mpi [count] N ... [option ...] "
                         "mpirun -n ranks nqueens-mpi [count] - [option ...] "
                         "nqueens-mpi --help | --version")

    def test_which_options_belong_to_which_action(self):
        text = plain(self.section("man1/nqueens-ledger.1", "OPTIONS"))
        self.assertRegex(text, r"^--json .* Options of audit: .*--sample .* Options of merge: .*--output")

    def test_exit_codes(self):
        page = plain(self.section("man1/nqueens.1", "EXIT STATUS"))
        for code in ("0 Done", "1 A count", "2 Wrong usage", "3 A system", "75 Interrupted",
                     "130 or 143 Interrupted"):
            self.assertIn(code, page)

    def test_files(self):
        """Each is described in the page to which the others send."""
        files = plain(self.section("man1/nqueens-ledger.1", "FILES"))
        self.assertIn("FILE-journal ", files)
        self.assertIn("nqueens-ledger(1)", self.section("man1/nqueens.1", "FILES"))

    def test_which_commands_have_a_page(self):
        text = plain(self.section("man1/nqueens.1", "DESCRIPTION"))
        self.assertIn("Every command but help has a page of its own", text)
        self.assertEqual({name for name in commands() if f"man1/nqueens-{name}.1" in self.pages},
                         set(commands()) - {"help"})

    def test_choice_of_the_method(self):
        text = plain(self.section("man1/nqueens-count.1", "DESCRIPTION"))
        for named in ("--kernel or NQUEENS_KERNEL", "With --quiet there are no such messages",
                      "With --shard, auto chooses by N alone"):
            self.assertIn(named, text)

    def test_environment_and_signals(self):
        page = plain(self.shown("man1/nqueens.1"))
        for name in ("NQUEENS_KERNEL", "OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES",
                     "NO_COLOR", "TERM", "SIGINT", "SIGTERM"):
            self.assertRegex(page, rf"\b{name}\b")
        page = plain(self.section("man1/nqueens-count.1", "SIGNALS"))
        for name in ("SIGUSR1", "SIGINT", "SIGTERM"):
            self.assertRegex(page, rf"\b{name}\b")

    def test_examples_are_true(self):
        """Examples that end soon print what the page says."""
        page = self.section("man1/nqueens.1", "EXAMPLES")
        self.assertRegex(page, r"\$ nqueens 10 12\n +724\n +14200\n")
        self.assert_answers("724\n14200\n", "10", "12")
        listed = run("list", "8", "--fundamental", "--limit", "2").stdout
        self.assertIn(plain("$ nqueens list 8 --fundamental --limit 2 " + listed), plain(page))


class Library(Manual):
    def library_page(self, name):
        return f"man3/{name}.3"

    def test_a_page_for_each_function_with_its_prototype(self):
        self.assertGreater(len(public_functions()), 20)
        for name, prototype in public_functions().items():
            with self.subTest(function=name):
                page = self.library_page(name)
                shown = plain(self.section(page, "SYNOPSIS"))
                self.assertIn(prototype.replace("* ", "*") + ";",
                              re.sub(r"\* (?=nq)", "*", shown))
                self.assertRegex(plain(self.section(page, "NAME")), rf"\A{name} \u2014 \w")
                self.assertIn(f"{name}() ", plain(self.section(page, "DESCRIPTION")))

    def test_each_says_in_a_line_what_it_is(self):
        for page in self.pages:
            if page.startswith("man3/") and not self.source(page).startswith(".so "):
                with self.subTest(page=page):
                    line = plain(self.section(page, "NAME"))
                    self.assertNotRegex(line, r"\u2014 (is like|a type)\b")

    def test_sentences(self):
        """Each begins a line of its own, even if it begins with code."""
        for page in self.pages:
            if page.startswith("man3/"):
                self.assertNotRegex(self.source(page), r"[\w)\]]\. (\d+:|[a-z]+\[)", page)

    def test_no_other_function_has_one(self):
        types = set(re.findall(r"\}? ?(nq_\w+);$|\(\*(nq_\w+)\)", header(), re.M))
        known = set(public_functions()) | {name for both in types for name in both}
        pages = {page[5:-2] for page in self.pages if page.startswith("man3/nq_")}
        self.assertLessEqual(pages, known)

    def test_man_finds_it(self):
        for name in ("nq_ledger_merge", "nq_ledger_info", "nqueens"):
            text = plain(self.man("--nh", "-M", self.tree.man, "3", name))
            self.assertIn("nq_ledger_merge", text)

    def test_the_overview_lists_them_all(self):
        overview = self.section("man3/libnqueens.3", "FUNCTIONS")
        self.assertEqual(re.findall(r"(?m)^     (nq_\w+)\(3\)", overview),
                         list(public_functions()))

    def test_statuses(self):
        """nq_status(3) has all of them. What a page calls a status is one."""
        names = re.findall(r"(?m)^    (NQ_\w+)",
                           re.search(r"typedef enum nq_status \{(.*?)\}", header(), re.S)[1])
        self.assertGreater(len(names), 15)
        shown = self.section("man3/nq_status.3", "DESCRIPTION")
        self.assertEqual(re.findall(r"(?m)^     (NQ_\w+)", shown), names)
        known = set(re.findall(r"\bNQ_\w+", re.sub(r"/\*.*?\*/", "", header(), flags=re.S)))
        for page in self.pages:
            for name in re.findall(r"\bNQ_\w+", self.source(page)):
                self.assertIn(name, known | set(map(str.upper, public_functions()))
                              | {"NQ_OPTIONS", "NQ_STATUS"}, page)

    def test_statuses_that_a_function_returns(self):
        """Those of its comment are in its page."""
        comments = dict(re.findall(r"/\* (nq_\w+)\(\) ((?:(?!\*/).)*?Returns.*?)\*/", header(),
                                   re.S))
        self.assertGreater(len(comments), 10)
        for function, comment in comments.items():
            with self.subTest(function=function):
                returned = comment[comment.index("Returns"):]
                shown = self.section(self.library_page(function), "RETURN VALUES")
                self.assertLessEqual(set(re.findall(r"\bNQ_\w+", returned)),
                                     set(re.findall(r"\bNQ_\w+", self.shown(
                                         self.library_page(function)))))
                self.assertIn("Returns", shown)

    def members(self, name):
        body = re.search(rf"typedef struct {name} \{{(.*?)\}} {name};", header(), re.S)[1]
        return re.findall(r"(\w+)(?:\[\w+\])?[,;]", re.sub(r"/\*.*?\*/", "", body, flags=re.S))

    def shown_members(self, name):
        """Those that the manual lists where it shows the type."""
        page, heading = self.library_page(name), "Sh DESCRIPTION"
        while self.source(page).startswith(".so "):
            page, heading = self.source(page).split()[1], f"Ss {name}"
        part = re.search(rf"(?ms)^\.{heading}\n(.*?)^\.S[sh] ", self.source(page))[1]
        return re.findall(r"(\w+)(?:\[\w+\])?(?:,|$)",
                          "\n".join(re.findall(r"(?m)^\.It Vt (.*)$", part)), re.M)

    def test_every_member(self):
        for name in ("nq_options", "nq_result", "nq_progress", "nq_ledger_info", "nq_audit"):
            with self.subTest(type=name):
                names = self.members(name)
                self.assertGreater(len(names), 5)
                self.assertEqual(self.shown_members(name), names)

    def test_every_limit(self):
        page = plain(self.section("man3/libnqueens.3", "LIMITS"))
        limits = re.findall(r"\b(NQ_MAX_\w+) = (\d+)", header())
        self.assertGreater(len(limits), 4)
        for name, value in (*limits, ("NQ_VERSION", f'"{self.tree.flags("--modversion")[0]}"')):
            self.assertIn(f"{name} ({value})", page)
