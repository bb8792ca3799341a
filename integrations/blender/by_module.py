"""Runs Rigscope's Python module in a child process, so that Blender stays responsive and the work can be cancelled.

    python by_module.py check FILE [CONFIG]
    python by_module.py weights FILE METHOD OUTPUT
"""

import json
import sys

import rigscope


def check(path, config=None):
    found = rigscope.load(path).check(config=rigscope.Config(config) if config else None)
    print(json.dumps({"findings": found}))


def weights(path, method, output):
    rigscope.load(path).with_weights(method).save(output)


if __name__ == "__main__":
    try:
        {"check": check, "weights": weights}[sys.argv[1]](*sys.argv[2:])
    except rigscope.RigscopeError as problem:
        sys.exit(str(problem))
