"""The programs of examples/ in the build folder."""
import os
import tempfile

from examples import ExampleTest
from installed import BUILD


class Examples(ExampleTest):
    def program(self, name):
        return os.path.join(BUILD, "examples", name)

    def test_count_with_progress(self):
        self.assert_counts()
        self.assert_stops()

    def test_list(self):
        self.assert_lists()

    def test_count_that_is_resumed(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assert_resumes(os.path.join(folder, "ledger"))

    def test_wrong_usage(self):
        self.assert_refuses()
