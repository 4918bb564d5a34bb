#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a start takes and how much memory it needs: sotto-cli opens a model, reads a short prompt
and writes one token, as a process of its own each time. The file is read once before, so that it is
in the system's cache.

  python3 tests/bench/start.py --model M.gguf [--threads 2] [--rounds 9]

Memory is the largest resident set beside the file's size; the cache for keys and values is left out
of neither, and small with --ctx 256.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

DEFAULT_CLI = pathlib.Path(__file__).resolve().parents[2] / "build/release/app/cli/sotto-cli"


def read_once(path):
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass


def start(args):
    """Seconds from the process's start to its end, what it says, and its peak memory."""
    command = [str(args.cli), "generate", "--model", args.model, "--prompt", "Once upon a time", "--n", "1",
               "--temp", "0", "--ctx", "256", "-t", str(args.threads), "--json"]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    if status != 0:
        sys.exit(f"{args.cli} ended with status {status}")
    timings = json.loads(output)["timings"]
    return {"seconds": seconds, "load_ms": timings["load_ms"], "ttft_ms": timings["ttft_ms"],
            "peak_bytes": usage.ru_maxrss * 1024}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", required=True, help="a GGUF file")
    parser.add_argument("--cli", type=pathlib.Path, default=DEFAULT_CLI, help="sotto-cli")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    read_once(args.model)
    runs = [start(args) for _ in range(args.rounds)]
    file_bytes = os.path.getsize(args.model)
    median = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    print(f"{pathlib.Path(args.model).name}, {file_bytes / 1e6:.0f} MB, {args.threads} threads, "
          f"median of {args.rounds}")
    print(f"first token after {median['seconds'] * 1000:.0f} ms "
          f"({min(r['seconds'] for r in runs) * 1000:.0f}-{max(r['seconds'] for r in runs) * 1000:.0f}), "
          f"load {median['load_ms']:.0f} ms, prompt and token {median['ttft_ms']:.0f} ms")
    print(f"peak memory {median['peak_bytes'] / 1e6:.0f} MB, {median['peak_bytes'] / file_bytes:.2f} x the file")


if __name__ == "__main__":
    main()
