"""The version is the same wherever it stands."""
import os
import re

from program import SOURCE, ProgramTest, read, run


class Version(ProgramTest):
    def found(self, pattern, *path):
        """What the pattern's first match in a file of the tree has in its groups."""
        match = re.search(pattern, read(os.path.join(SOURCE, *path)), re.MULTILINE)
        self.assertIsNotNone(match, path)
        return ".".join(match.groups())

    def test_of_program_header_library_and_changelogs(self):
        version = self.found(r"^  version: '([\d.]+)',$", "meson.build")
        self.assertEqual(run("--version").stdout, f"nqueens {version}\n")
        for pattern, *path in (
                (r'^#define NQ_VERSION +"([\d.]+)"$', "include", "nqueens.h"),
                (r"_MAJOR +(\d+)\n#define NQ_VERSION_MINOR +(\d+)\n#define NQ_VERSION_PATCH +(\d+)$",
                 "include", "nqueens.h"),
                (r"^## (?!Unreleased)(.*)$", "CHANGELOG.md"),
                (r"\Anqueens \(([\d.]+)\) ", "debian", "changelog")):
            self.assertEqual(self.found(pattern, *path), version)
        self.assertEqual(self.found(r"^  soversion: '(\d+)',$", "src", "meson.build"), version.split(".")[0])
