# SPDX-License-Identifier: Apache-2.0
"""reference.json: one line for each key."""
import json


def numbers(values):
    """float64 to the digits that a float32 has."""
    return [float("%.7g" % x) for x in values]


def write(path, value):
    lines = ",\n".join('"%s": %s' % (key, json.dumps(x)) for key, x in value.items())
    path.write_text("{\n" + lines + "\n}\n")
