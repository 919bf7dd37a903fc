#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the C code of the Python package's extension module: extension.py HEADER OUTPUT

cffi makes it of the header's declarations. The C compiler checks each of them, and knows the layout of structs.
"""
import re
import sys

import cffi

# Progress callbacks of all counts arrive here; their context tells them apart.
CALLBACK = 'extern "Python" bool report_progress(const nq_progress *progress, void *context);\n'


def declarations(header):
    """Returns the header without comments and preprocessor lines, which cffi does not read."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\bNQ_API\b", "", text)


def main(header, output):
    ffi = cffi.FFI()
    with open(header, encoding="utf-8") as file:
        ffi.cdef(declarations(file.read()) + CALLBACK)
    ffi.set_source("nqueens._nqueens", "#include <nqueens.h>")
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
