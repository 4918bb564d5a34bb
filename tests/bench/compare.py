#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of sotto-cli beside llama-cpp-python on one GGUF file, alternated in one run.

Both do the same work: a prompt of --prompt token ids (random but fixed), read in chunks of 512, then
--n tokens picked greedily after it: with --prompt 4096 that is writing at a depth of 4096. Each measurement is a process of its own; the two programs take
turns and the order flips every round, so that a machine that gets slower or warmer hits both alike.

  python3 tests/bench/compare.py --model M.gguf --peer-python VENV/bin/python [--threads 2]

The peer's Python needs the package llama-cpp-python, built for this machine's processor.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

DEFAULT_CLI = pathlib.Path(__file__).resolve().parents[2] / "build/release/app/cli/sotto-cli"

CHUNK = 512  # prompt tokens that are computed at once, by both


def prompt_ids(count, vocab):
    """The same ids on every machine: a linear congruential generator, special tokens left out."""
    state, ids = 12345, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        ids.append(300 + (state >> 8) % (vocab - 300))
    return ids


# ---- the peer: runs in its own Python ------------------------------------------------------------


def peer_context(api, model, args):
    params = api.llama_context_default_params()
    params.n_ctx = args.prompt + args.n + 32
    params.n_batch = params.n_ubatch = CHUNK
    params.n_threads = params.n_threads_batch = args.threads
    params.no_perf = True
    return api.llama_init_from_model(model, params)


def peer_decode(api, context, ids):
    """Feeds ids; the logits of the last one are kept."""
    for begin in range(0, len(ids), CHUNK):
        chunk = ids[begin:begin + CHUNK]
        array = (api.llama_token * len(chunk))(*chunk)
        status = api.llama_decode(context, api.llama_batch_get_one(array, len(chunk)))
        if status != 0:
            sys.exit(f"llama_decode: status {status}")


def peer_pass(api, context, sampler, ids, n):
    """Seconds for the prompt and for n greedy steps."""
    import time

    api.llama_memory_clear(api.llama_get_memory(context), True)
    start = time.perf_counter()
    peer_decode(api, context, ids)
    token = api.llama_sampler_sample(sampler, context, -1)
    after_prompt = time.perf_counter()
    for _ in range(n):
        peer_decode(api, context, [token])
        token = api.llama_sampler_sample(sampler, context, -1)
    return after_prompt - start, time.perf_counter() - after_prompt


def run_peer(args):
    import llama_cpp as api

    quiet = api.llama_log_callback(lambda *_: None)
    api.llama_log_set(quiet, None)
    api.llama_backend_init()
    params = api.llama_model_default_params()
    params.n_gpu_layers = 0
    model = api.llama_model_load_from_file(args.model.encode(), params)
    context = peer_context(api, model, args) if model else None
    if not context:
        sys.exit(f"the peer cannot load {args.model}")
    sampler = api.llama_sampler_init_greedy()
    ids = prompt_ids(args.prompt, args.vocab)
    peer_pass(api, context, sampler, ids[:32], 8)  # pages in the weights, starts the threads
    prefill_s, decode_s = peer_pass(api, context, sampler, ids, args.n)
    result = {"prefill": args.prompt / prefill_s, "decode": args.n / decode_s}
    result["version"] = f"llama-cpp-python {api.__version__}"
    result["features"] = api.llama_print_system_info().decode()
    print(json.dumps(result))


# ---- both, as processes ----------------------------------------------------------------------------


def last_json(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}:\n{done.stderr.strip()[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def measure_peer(args):
    command = [args.peer_python, __file__, "--as-peer", "--model", args.model]
    for name in ("threads", "prompt", "n", "vocab"):
        command += [f"--{name}", str(getattr(args, name))]
    return last_json(command)


def measure_sotto(args):
    command = [str(args.cli), "generate", "--model", args.model, "--tokens-file", args.tokens_file]
    command += ["--n", str(args.n), "--temp", "0", "-t", str(args.threads), "--ignore-eos", "--json"]
    command += ["--ctx", str(args.prompt + args.n + 32), "--batch", str(CHUNK)]
    command += ["--kv-type", args.kv_type]
    timings = last_json(command)["timings"]
    if timings["prefill_tokens"] != args.prompt or timings["decode_tokens"] < args.n - 1:
        sys.exit(f"sotto-cli did other work than was asked for: {timings}")
    return {"prefill": timings["prefill_tokens_per_s"], "decode": timings["decode_tokens_per_s"],
            "load_ms": timings["load_ms"], "threads_used": timings["threads_used"]}


MEASURE = {"sotto": measure_sotto, "peer": measure_peer}


def alternate(args, names):
    runs = {name: [] for name in names}
    for turn in range(args.rounds):
        for name in names if turn % 2 == 0 else reversed(names):
            run = MEASURE[name](args)
            runs[name].append(run)
            print(f"  round {turn + 1}/{args.rounds} {name:5s} prefill {run['prefill']:8.1f} "
                  f"decode {run['decode']:7.1f} tokens/s", file=sys.stderr)
    return runs


def summary(args, runs):
    out = {"cpu": cpu_name(), "cores": os.cpu_count(), "system": platform.platform(),
           "model": pathlib.Path(args.model).name, "threads": args.threads,
           "kv_type": args.kv_type, "rounds": args.rounds, "prompt": args.prompt, "n": args.n, "runs": runs}
    out["median"] = {name: {kind: statistics.median(run[kind] for run in list_)
                            for kind in ("prefill", "decode")} for name, list_ in runs.items()}
    if len(runs) == 2:
        out["ratio"] = {kind: out["median"]["sotto"][kind] / out["median"]["peer"][kind]
                        for kind in ("prefill", "decode")}
    out["versions"] = versions(args, runs)
    return out


def cpu_name():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    fields = {key.strip(): value.strip() for key, value in fields.items()}
    numbers = f"family {fields.get('cpu family', '?')} model {fields.get('model', '?')}"
    return f"{fields.get('model name', platform.machine())} ({numbers})"


def versions(args, runs):
    found = {}
    if "peer" in runs:
        found["peer"] = runs["peer"][0]["version"]
        found["peer features"] = runs["peer"][0]["features"]
    if "sotto" in runs:
        done = subprocess.run([str(args.cli), "info", "--cpu"], capture_output=True, text=True)
        found["sotto"] = " ".join(done.stdout.split())
    return found


def table(result):
    kinds = {"prefill": f"prompt of {result['prompt']}", "decode": f"{result['n']} tokens after it"}
    names = list(result["median"])
    heads = ["tokens/s, median", *names, *(["ratio"] if "ratio" in result else []), "spread"]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for kind, label in kinds.items():
        cells = [label] + [f"{result['median'][name][kind]:.1f}" for name in names]
        if "ratio" in result:
            cells.append(f"**{result['ratio'][kind]:.2f}**")
        cells.append(", ".join(spread(name, result["runs"][name], kind) for name in names))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def spread(name, runs, kind):
    values = [run[kind] for run in runs]
    return f"{name} {min(values):.1f}-{max(values):.1f}"


def report(result):
    print(f"{result['model']}, {result['threads']} threads, cache {result['kv_type']}, {result['rounds']} rounds\n"
          f"CPU: {result['cpu']}, {result['cores']} cores; {result['system']}")
    for name, text in result["versions"].items():
        print(f"{name}: {text}")
    print("\n" + table(result))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--cli", type=pathlib.Path, default=DEFAULT_CLI, help="sotto-cli")
    parser.add_argument("--peer-python", default=sys.executable, help="a Python with llama_cpp")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--prompt", type=int, default=512, help="tokens of the prompt")
    parser.add_argument("--n", type=int, default=128, help="tokens to write")
    parser.add_argument("--kv-type", default="f16", help="of sotto-cli's cache; the peer's is f16")
    parser.add_argument("--vocab", type=int, default=20000, help="ids are taken below this")
    parser.add_argument("--only", choices=sorted(MEASURE), help="measure one of the two")
    parser.add_argument("--json", metavar="FILE", help="write all numbers there")
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    args = parse()
    if args.as_peer:
        return run_peer(args)
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"note: the machine is busy (load {load:.1f}); the numbers will show it", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        ids = pathlib.Path(folder, "prompt.txt")
        ids.write_text(" ".join(map(str, prompt_ids(args.prompt, args.vocab))))
        args.tokens_file = str(ids)
        result = summary(args, alternate(args, [args.only] if args.only else ["sotto", "peer"]))
    report(result)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
