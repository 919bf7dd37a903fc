"""The version is the same wherever it stands."""
import os
import re

from program import SOURCE, ProgramTest, run


class Version(ProgramTest):
    def found(self, pattern, *path):
        """What the pattern's first match in a file of the tree has in its groups."""
        with open(os.path.join(SOURCE, *path)) as file:
            match = re.search(pattern, file.read(), re.MULTILINE)
        self.assertIsNotNone(match, path)
        return ".".join(match.groups())

    def setUp(self):
        self.version = self.found(r"^  version: '([\d.]+)',$", "meson.build")

    def test_program(self):
        self.assertEqual(run("--version").stdout, f"nqueens {self.version}\n")

    def test_header(self):
        header = "include", "nqueens.h"
        numbers = r"^#define NQ_VERSION_MAJOR +(\d+)\n#define NQ_VERSION_MINOR +(\d+)\n" \
                  r"#define NQ_VERSION_PATCH +(\d+)$"
        self.assertEqual(self.found(numbers, *header), self.version)
        self.assertEqual(self.found(r'^#define NQ_VERSION +"([\d.]+)"$', *header), self.version)

    def test_the_header_has_each_section_and_macro_once(self):
        with open(os.path.join(SOURCE, "include", "nqueens.h")) as file:
            names = re.findall(r"^(?:#define (NQ_\w+)|/\* ={4} (.*?) =+ \*/$)", file.read(), re.M)
        self.assertIn(("NQ_VERSION", ""), names)
        self.assertIn(("", "Status"), names)
        self.assertEqual(len(names), len(set(names)))

    def test_soname(self):
        self.assertEqual(self.found(r"^  soversion: '(\d+)',$", "src", "meson.build"),
                         self.version.split(".")[0])

    def test_changelogs(self):
        self.assertEqual(self.found(r"^## (?!Unreleased)(.*)$", "CHANGELOG.md"), self.version)
        self.assertEqual(self.found(r"\Anqueens \(([\d.]+)\) ", "debian", "changelog"), self.version)
