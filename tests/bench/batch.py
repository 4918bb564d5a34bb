#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many conversations at once: sotto-cli batch beside llama-server with as many slots, alternated.

Both get the same --slots texts of about --prompt tokens, all at once, and write --n tokens to each, greedily, past the
end of a turn. Told are all tokens (of prompts and answers) over the time from the first request to the last token, and the
time to first token. Loading does not count.

  python3 tests/bench/batch.py --model M.gguf --server llama-server [--slots 16] [--prompt 512] [--n 128]

llama-server is built from the source package of llama-cpp-python, for this machine's processor.
"""
import argparse
import http.client
import json
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
import threading
import time

DEFAULT_CLI = pathlib.Path(__file__).resolve().parents[2] / "build/release/app/cli/sotto-cli"
PORT = 18431
WORDS = ("time year people way day man thing woman life child world school state family student group country problem hand "
         "part place case week company system program question work government number night point home water room mother "
         "area money story fact month lot right study book eye job word business issue side kind head house service").split()


def texts(count, n_tokens):
    """Each word is a token for most vocabularies."""
    source = random.Random(7)
    return [" ".join(source.choice(WORDS) for _ in range(n_tokens - 1)) for _ in range(count)]


def ask_server(text, n, start, out):
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=3600)
    body = {"prompt": text, "n_predict": n, "ignore_eos": True, "temperature": 0, "cache_prompt": False, "stream": True}
    connection.request("POST", "/completion", json.dumps(body), {"Content-Type": "application/json"})
    first, last = None, {}
    for line in connection.getresponse():
        if line.startswith(b"data: "):
            first = first or time.perf_counter()
            last = json.loads(line[6:])
    out.append((first - start, last["tokens_evaluated"] + last["tokens_predicted"]))


def wait_until_ready():
    for _ in range(600):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=5)
            connection.request("GET", "/health")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise SystemExit("llama-server did not start")


def run_server(args, prompts):
    command = [args.server, "-m", args.model, "-t", str(args.threads), "-np", str(args.slots), "--port", str(PORT),
               "-c", str(args.slots * (args.prompt + args.n + 64)), "--no-webui"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_ready()
        out, start = [], time.perf_counter()
        threads = [threading.Thread(target=ask_server, args=(p, args.n, start, out)) for p in prompts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - start
        return sum(tokens for _, tokens in out) / seconds, [first for first, _ in out]
    finally:
        server.kill()
        server.wait()


def run_sotto(args, prompts):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for prompt in prompts:
            file.write(json.dumps({"prompt": prompt, "n": args.n, "temp": 0}) + "\n")
        file.flush()
        command = [args.cli, "batch", file.name, "-m", args.model, "-t", str(args.threads), "--slots", str(args.slots),
                   "--ignore-eos", "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out, err = process.communicate()
    if process.returncode != 0:
        raise SystemExit(err)
    answers = [json.loads(line) for line in out.splitlines()]
    return rate_of(err), [a["timings"]["ttft_ms"] / 1000 for a in answers]


def rate_of(err):
    """What the command says of itself, without the loading."""
    found = re.search(r"([0-9.]+) t/s in all", err)
    if not found:
        raise SystemExit("sotto-cli batch told no rate:\n" + err)
    return float(found.group(1))


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--server", required=True, help="llama-server")
    parser.add_argument("--cli", default=str(DEFAULT_CLI))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--slots", type=int, default=16)
    parser.add_argument("--prompt", type=int, default=512)
    parser.add_argument("--n", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    prompts = texts(args.slots, args.prompt)
    results = {run_sotto: [], run_server: []}
    for i in range(args.rounds):
        for run in (run_sotto, run_server) if i % 2 == 0 else (run_server, run_sotto):
            results[run].append(run(args, prompts))
    rates = {run: statistics.median(rate for rate, _ in got) for run, got in results.items()}
    for run, name in ((run_sotto, "sotto"), (run_server, "llama-server")):
        firsts = [first for _, all_of in results[run] for first in all_of]
        print(f"{name}: {rates[run]:.1f} tokens/s; first token p50 {percentile(firsts, 0.5):.2f} s, "
              f"p95 {percentile(firsts, 0.95):.2f} s")
    print(f"ratio {rates[run_sotto] / rates[run_server]:.2f}")


if __name__ == "__main__":
    main()
