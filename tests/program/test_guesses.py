"""A mistyped name is answered with the nearest one, if one is near: a third of its letters may be wrong."""
from program import USAGE, ProgramTest, run


class Guesses(ProgramTest):
    def test_near(self):
        """Of options that are equally near, one that the command takes comes first."""
        for arguments, guess in (
                ("cuont 8", "count"), ("Draw", "draw"), ("ezzimate", "estimate"), ("8 --kernal=avx2", "--kernel"),
                ("8 --Json", "--json"), ("8 -json", "--json"), ("8 -threads=4", "--threads"), ("8 -quiet", "--quiet"),
                ("verify --frmo 2", "--from"), ("list 8 --fromat json", "--format"),
                ("--fromat json list 8", "--format"), ("8 --method jion", "join"), ("8 --plan crss", "cross"),
                ("8 --kernel axv2", "avx2"), ("8 --bind AUTO", "auto"), ("8 --memory nnoe", "none"),
                ("list 5 --format colums", "columns"), ("bench kernel 8", "kernels"), ("ledger shwo x", "show"),
                ("help cuont", "count"), ("help ledger shw", "show"), ("bench kernel --help", "kernels")):
            self.assert_refused(arguments.split(), f"did you mean '{guess}'?\n")

    def test_not_near(self):
        for arguments in (["nope", "8"], ["ezzzmxte"], ["z" * 500], ["8", "--nope"], ["8", "-x"], ["8", "-qx"],
                          ["8", "--too"], ["8", "-é"], ["8", "--method", "nope"], ["8", "--memory", "2X"],
                          ["8", "--kernel", ""], ["ledger", "none"], ["bench", "8"]):
            result = run(*arguments)
            self.assert_fails(USAGE, result)
            self.assertNotIn("did you mean", result.stderr)
