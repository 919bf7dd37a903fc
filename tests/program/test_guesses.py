"""A mistyped name is answered with the nearest one, if one is near."""
from program import ProgramTest, run


class Guesses(ProgramTest):
    def assert_guess(self, arguments, guess):
        self.assert_refused(arguments, f"did you mean '{guess}'?\n")

    def assert_no_guess(self, *arguments):
        result = run(*arguments)
        self.assert_fails(2, result)
        self.assertNotIn("did you mean", result.stderr)

    def test_commands(self):
        for word, name in (("cuont", "count"), ("coun", "count"), ("counts", "count"),
                           ("xount", "count"), ("lsit", "list"), ("Draw", "draw"),
                           ("VERIFY", "verify"), ("verfiy", "verify"), ("estimat", "estimate"),
                           ("cosntruct", "construct"), ("halp", "help")):
            with self.subTest(word=word):
                self.assert_guess([word, "8"], name)
                self.assert_refused([word], f"unknown command '{word}'; ")

    def test_no_command_is_near(self):
        for word in ("nope", "solve", "x8", "e3", "queens", "z" * 40, "c" * 500, "zzzzz"):
            with self.subTest(word=word[:10]):
                self.assert_no_guess(word, "8")

    def test_options(self):
        for option, name in (("--kernal", "--kernel"), ("--treads", "--threads"),
                             ("--jsno", "--json"), ("--Json", "--json"), ("-json", "--json"),
                             ("-kernel", "--kernel"), ("--quite", "--quiet"),
                             ("--legder", "--ledger")):
            with self.subTest(option=option):
                self.assert_guess(["8", option], name)
                self.assert_guess(["8", option, "2"], name)
                self.assert_refused(["8", option], f"unknown option '{option}'; ")
        self.assert_guess(["8", "--kernal=avx2"], "--kernel")
        self.assert_guess(["8", "-kernal=avx2"], "--kernel")

    def test_options_that_the_command_takes_first(self):
        """Of options that are equally near, or even if another one is nearer."""
        self.assert_guess(["verify", "--frmo", "2"], "--from")
        self.assert_guess(["list", "8", "--fromat", "json"], "--format")
        self.assert_guess(["draw", "8", "--fromat", "json"], "--format")
        self.assert_guess(["--fromat", "json", "list", "8"], "--format")

    def test_a_long_option_with_one_dash(self):
        """Its first letter may be a short option with a value."""
        for option in ("-threads", "-time", "-output", "-quiet", "-help", "-version",
                       "-threads=4"):
            with self.subTest(option=option):
                self.assert_guess(["8", option, "4"], "-" + option.split("=")[0])
        self.assert_refused(["8", "-thr", "4"], "--threads: 'hr': expected ")
        self.assert_answers("92\n", "8", "-t1")

    def test_no_option_is_near(self):
        for option in ("--nope", "-x", "-qx", "--xyzzy=1", "--=1", "-é", "--" + "j" * 100,
                       "--too", "--tme", "--smy", "-smy"):
            self.assert_no_guess("8", option)

    def test_values(self):
        for arguments, guess in ((["8", "--method", "jion"], "join"),
                                 (["8", "--method", "serch"], "search"),
                                 (["8", "--plan", "crss"], "cross"),
                                 (["8", "--kernel", "axv2"], "avx2"),
                                 (["8", "--kernel", "avx51"], "avx512"),
                                 (["8", "--kernel", "noen"], "neon"),
                                 (["8", "--bind", "non"], "none"),
                                 (["8", "--bind", "AUTO"], "auto"),
                                 (["8", "--memory", "nnoe"], "none"),
                                 (["list", "5", "--format", "colums"], "columns"),
                                 (["8", "--progress", "nevr"], "never"),
                                 (["bench", "kernel", "8"], "kernels"),
                                 (["ledger", "shwo", "x"], "show")):
            with self.subTest(arguments=arguments):
                self.assert_guess(arguments, guess)
                self.assert_refused(arguments, "expected ")
