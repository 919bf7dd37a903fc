"""Run by test_plot.py: calls of scripts/plot.py, each in a process of its own that begins with
Matplotlib loaded. To load it takes longer than a picture.

Argument: plot.py. Each line on stdin is a call, a list of arguments as JSON; each line on stdout is
[exit code, stdout, stderr]."""
import json
import os
import runpy
import sys
import tempfile
import traceback

import matplotlib.backends.backend_agg  # noqa: F401
import matplotlib.backends.backend_svg  # noqa: F401
import matplotlib.pyplot  # noqa: F401


def exit_code(arguments):
    sys.argv = [sys.argv[1], *arguments]
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as end:
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def called(arguments):
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            code = exit_code(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return [code, out.read(), err.read()]


for line in sys.stdin:
    print(json.dumps(called(json.loads(line))), flush=True)
