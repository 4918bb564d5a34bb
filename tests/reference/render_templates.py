#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Renders chat templates with Python's jinja2, set up as transformers sets it up, and with ours.

usage: render_templates.py FOLDER RENDER_TEMPLATE [--transformers] [--only NAME]

FOLDER holds *.jinja files, RENDER_TEMPLATE is the program built from tests/support. Each template
meets each conversation below, with and without the generation prompt and with enable_thinking true,
false and absent. Prints a table: = equal, r both refuse (in the same words, if the template itself
does), X differ; then each difference. Exits with 1 if there is any. With --transformers every text is
also held against transformers' own set-up, where that package is installed.
"""
import argparse
import datetime
import difflib
import json
import pathlib
import subprocess
import sys
import tempfile

import jinja2
import jinja2.ext
import jinja2.sandbox

NOW = datetime.datetime(2024, 2, 29, 13, 5, 9)  # the clock of render_template


class Refusal(jinja2.exceptions.TemplateError):
    """What raise_exception raises."""


class Generation(jinja2.ext.Extension):
    """{% generation %}: a block with a scope of its own whose text is written as it is."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


class Dict:
    """dict(...) without the attributes of a class."""

    def __call__(self, *args, **kwargs):
        return dict(*args, **kwargs)


class Namespace(jinja2.utils.Namespace):
    def __init__(*args, **kwargs):  # no name for self: namespace(self=...) is allowed
        self, args = args[0], args[1:]
        attributes = dict(*args, **kwargs)
        for name in attributes:
            Namespace.check(name)
        jinja2.utils.Namespace.__init__(self, attributes)

    def __setitem__(self, name, value):
        Namespace.check(name)
        super().__setitem__(name, value)

    @staticmethod
    def check(name):
        if isinstance(name, str) and name.startswith("_"):
            raise jinja2.exceptions.SecurityError(f"no underscore names on a namespace: {name}")


def environment():
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators,
                          sort_keys=sort_keys)

    def raise_exception(message):
        raise Refusal(message)

    env.filters["tojson"] = tojson
    env.globals.update(raise_exception=raise_exception, strftime_now=NOW.strftime, dict=Dict(),
                       namespace=Namespace)
    return env


def transformers_render(source):
    """The same from transformers itself, its clock stopped."""
    from transformers.utils import chat_template_utils as utils

    template = utils._compile_jinja_template(source)
    template.globals["strftime_now"] = NOW.strftime
    return lambda context: template.render(**context)


# ---- conversations -----------------------------------------------------------------------------

def nested(depth):
    """A schema of objects and lists inside each other."""
    if depth == 0:
        return {"type": "string", "description": "the end"}
    if depth % 3 == 0:
        return {"type": "array", "items": nested(depth - 1), "description": f"list {depth}"}
    return {"type": "object", "properties": {f"p{depth}": nested(depth - 1)},
            "required": [f"p{depth}"]}


WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "Weather at a place, \"now\" or later — in °C.",
    "parameters": {"type": "object", "properties": {
        "place": {"type": "string", "description": "Where: 北京, Zürich"},
        "days": {"type": "integer", "minimum": 0, "default": 1},
        "units": {"type": "string", "enum": ["c", "f"]},
        "options": {"type": "object", "properties": {
            "wind": {"type": "boolean", "nullable": True},
            "hours": {"type": "array", "items": {"type": "number"}}}, "required": ["wind"]},
        "names": {"type": ["string", "null"]}}, "required": ["place"]},
    "return": {"type": "object", "description": "what it is like"}}}
NO_PARAMETERS = {"type": "function", "function": {
    "name": "now", "description": "The time.",
    "parameters": {"type": "object", "properties": {}}}}
DEEP = {"type": "function", "function": {"name": "f", "description": "", "parameters": {
    "type": "object", "properties": {"x": nested(12)}, "required": []}}}
BOTH = [WEATHER, NO_PARAMETERS]


def turn(role, content, **more):
    return {"role": role, "content": content, **more}


def call(name, arguments, ident="call00001"):
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}


SYSTEM = turn("system", "  Be brief.\nAnd <kind> & \"true\".\n")
ASK = turn("user", "What's the weather in 北京 tomorrow? <|im_end|>")
ARGUMENTS = {"place": "北京", "days": 2, "options": {"wind": True, "hours": [1, 2.5]}, "names": None}
TEXT_PARTS = [{"type": "text", "text": "Look "}, {"type": "text", "text": "here."}]
PICTURE = [{"type": "image", "image": "a.png"}, {"type": "text", "text": "What is this?"}]
RESULT = {"tool_call_id": "call00001", "name": "get_weather"}

CONVERSATIONS = {
    "user": ([turn("user", "Hello!")], {}),
    "system": ([SYSTEM, turn("user", " Hi \n")], {}),
    "only system": ([SYSTEM], {}),
    "many": ([SYSTEM] + [m for i in range(4) for m in (
        turn("user", f"Question {i}\n"), turn("assistant", f"\nAnswer {i}"))] +
        [turn("user", "And?")], {}),
    "many, no system": ([m for i in range(3) for m in (
        turn("user", f"Q{i} "), turn("assistant", f" A{i}"))] + [turn("user", "And?")], {}),
    "ends with answer": ([turn("user", "Hi"), turn("assistant", "Hello"),], {}),
    "thoughts in text": ([turn("user", "1+1?"), turn(
        "assistant", "<think>\nOne and one.\n</think>\n\nTwo"), turn("user", "2+2?")], {}),
    "reasoning": ([turn("user", "1+1?"), turn("assistant", "Two", reasoning_content="One and one.\n",
                                              reasoning="Easy.", thinking="Easy."),
                   turn("user", "2+2?"), turn("assistant", "4", reasoning_content="As before.")], {}),
    "tools": ([SYSTEM, ASK], {"tools": BOTH}),
    "tools, no system": ([ASK], {"tools": [WEATHER]}),
    "call": ([SYSTEM, ASK, turn("assistant", "", tool_calls=[call("get_weather", ARGUMENTS)]),
              turn("tool", '{"t": 21}', **RESULT), turn("assistant", "21 °C"),
              turn("user", "Thanks")], {"tools": BOTH}),
    "call, text arguments": ([ASK, turn("assistant", "Let me see.", tool_calls=[
        call("get_weather", json.dumps(ARGUMENTS, ensure_ascii=False))]),
        turn("tool", "sunny", **RESULT)], {"tools": BOTH}),
    "call, null content": ([ASK, turn("assistant", None, tool_calls=[call("now", {})]),
                            turn("tool", "13:05", tool_call_id="call00001", name="now")],
                           {"tools": [NO_PARAMETERS]}),
    "call, no content": ([ASK, {"role": "assistant", "tool_calls": [call("get_weather", ARGUMENTS)]},
                          turn("tool", "21", **RESULT)], {"tools": BOTH}),
    "two calls": ([ASK, turn("assistant", "", reasoning_content="Both.", tool_calls=[
        call("get_weather", ARGUMENTS), call("now", {}, "call00002")]),
        turn("tool", "21", **RESULT), turn("tool", "13:05", tool_call_id="call00002", name="now"),
        turn("assistant", "Done")], {"tools": BOTH}),
    "result as list": ([ASK, turn("assistant", "", tool_calls=[call("get_weather", ARGUMENTS)]),
                        turn("tool", [{"type": "text", "text": "21"}], **RESULT)], {"tools": BOTH}),
    "result as mapping": ([ASK, turn("assistant", "", tool_calls=[call("get_weather", ARGUMENTS)]),
                           turn("tool", {"t": 21.0}, **RESULT)], {"tools": BOTH}),
    "text parts": ([turn("user", TEXT_PARTS), turn("assistant", "Yes"), turn("user", TEXT_PARTS)], {}),
    "all parts": ([turn("system", [{"type": "text", "text": "Be brief."}]), turn("user", TEXT_PARTS),
                   turn("assistant", [{"type": "text", "text": "Yes"}]), turn("user", TEXT_PARTS)], {}),
    "picture": ([turn("user", PICTURE)], {}),
    "null content": ([turn("user", "Hi"), turn("assistant", None), turn("user", "Well?")], {}),
    "documents": ([ASK], {"documents": [{"title": "Weather", "text": "It\nrains."}]}),
    "developer": ([turn("developer", "Be brief."), turn("user", "Hi")], {}),
    "unknown role": ([turn("user", "Hi"), turn("critic", "Bad")], {}),
    "two users": ([turn("user", "a"), turn("user", "b")], {}),
    "system late": ([turn("user", "a"), SYSTEM, turn("user", "b")], {}),
    "no messages": ([], {}),
    "effort": ([SYSTEM, ASK], {"tools": BOTH, "reasoning_effort": "high", "thinking": True,
                               "builtin_tools": ["browser", "python"], "model_identity": "You are X.",
                               "tool_choice": "auto", "date_string": "2024-01-01"}),
    "other names": ([SYSTEM, ASK], {"functions": json.dumps([NO_PARAMETERS]), "datetime": "today",
                                    "custom_tools": BOTH, "tools_in_user_message": False,
                                    "xml_tools": BOTH, "keep_all_reasoning": True}),
    "deep schema": ([ASK], {"tools": [DEEP]}),
    "unicode": ([turn("user", "\u00a0Ünïcödé 🙂 \u3000"), turn("assistant", "\u2028ok\u200b"),
                 turn("user", "e\u0301\t\x0b")], {}),
}


def contexts(messages, more):
    for prompt in (True, False):
        for thinking in (None, True, False):
            context = {"messages": messages, "add_generation_prompt": prompt, "bos_token": "<s>",
                       "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>", **more}
            if thinking is not None:
                context["enable_thinking"] = thinking
            yield context


# ---- both sides --------------------------------------------------------------------------------

def theirs(template, context):
    """(kind, text): kind is text, refusal or error."""
    try:
        return "text", template(json.loads(json.dumps(context)))
    except jinja2.exceptions.TemplateError as e:
        own = isinstance(e, Refusal) or type(e) is jinja2.exceptions.TemplateError
        return ("refusal" if own else "error"), str(e)
    except Exception as e:  # what Python raises inside of a template
        return "error", f"{type(e).__name__}: {e}"


def ours(program, path, context):
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(context, file, ensure_ascii=False)
        file.flush()
        run = subprocess.run([program, path, file.name], capture_output=True, timeout=20)
    text = run.stdout.decode("utf-8", "replace")
    if run.returncode == 0:
        return "text", text
    kind = {1: "error", 2: "refusal"}.get(run.returncode, f"exit code {run.returncode}")
    return kind, text.removeprefix("error: ").removesuffix("\n")


def verdict(a, b):
    if a[0] != b[0]:
        return "X"
    if a[0] == "error":
        return "r"
    return "X" if a[1] != b[1] else "=" if a[0] == "text" else "r"


def difference(a, b):
    if a[0] == b[0] == "text":
        lines = difflib.unified_diff(a[1].splitlines(), b[1].splitlines(), "jinja2", "ours",
                                     lineterm="", n=1)
        return "\n".join(f"    {line!r}" for line in list(lines)[:20])
    return f"    jinja2: {a[0]}: {a[1][-300:]!r}\n    ours:   {b[0]}: {b[1][-300:]!r}"


def compile_or_fail(make):
    try:
        return make()
    except (jinja2.exceptions.TemplateError, SyntaxError) as e:
        error = e

        def refuse(_):
            raise error
        return refuse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("program")
    parser.add_argument("--transformers", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    env = environment()
    counts, differences = {"=": 0, "r": 0, "X": 0}, []
    for number, name in enumerate(CONVERSATIONS, 1):
        print(f"{number:3} {name}")
    print(" " * 52 + "".join(f"{i:3}" for i in range(1, len(CONVERSATIONS) + 1)))
    for path in sorted(options.folder.glob("*.jinja")):
        if options.only not in path.name:
            continue
        source = path.read_text(encoding="utf-8")
        template = compile_or_fail(lambda: lambda c, t=env.from_string(source): t.render(**c))
        check = transformers_render(source) if options.transformers else None
        row = ""
        for name, (messages, more) in CONVERSATIONS.items():
            cell = set()
            for context in contexts(messages, more):
                a, b = theirs(template, context), ours(options.program, path, context)
                if check and theirs(check, context)[:1 if a[0] == "error" else 2] != \
                        a[:1 if a[0] == "error" else 2]:
                    sys.exit(f"{path.name}, {name}: this script is not set up as transformers is")
                mark = verdict(a, b)
                counts[mark] += 1
                cell.add(mark)
                if mark == "X":
                    flags = {k: context[k] for k in ("add_generation_prompt", "enable_thinking")
                             if k in context}
                    differences.append(f"{path.name}, {name}, {flags}\n{difference(a, b)}")
            row += f"{'X' if 'X' in cell else ''.join(sorted(cell)):>3}"
        print(f"{path.name[:50]:52}{row}", flush=True)
    print(f"equal {counts['=']}, both refuse {counts['r']}, differ {counts['X']}")
    for text in differences[:40]:
        print(text)
    return 1 if counts["X"] else 0


if __name__ == "__main__":
    sys.exit(main())
