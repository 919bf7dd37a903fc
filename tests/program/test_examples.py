"""The programs of examples/ in the build folder."""
import os

from examples import ExampleTest
from installed import BUILD


class Examples(ExampleTest):
    def program(self, name):
        return os.path.join(BUILD, "examples", name)

    def test_count_with_progress(self):
        self.assert_counts()

    def test_count_that_is_stopped(self):
        self.assert_stops()

    def test_list(self):
        self.assert_lists()

    def test_count_that_is_resumed(self):
        self.assert_resumes()

    def test_wrong_usage(self):
        self.assert_refuses()
