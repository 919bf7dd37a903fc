#!/usr/bin/env python3
"""Prints what cffi needs of nqueens.h: its declarations, without comments and preprocessor lines."""
import re
import sys


def declarations(header):
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\bNQ_API\b", "", text)
    return re.sub(r"\n\s*\n+", "\n", text).strip() + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header_file:
        sys.stdout.write(declarations(header_file.read()))
