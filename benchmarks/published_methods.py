"""CompactBench's own program, over one of its suites, with a model: its methods and tamis's.

    python benchmarks/published_methods.py SUITES MODEL OUT [--suite starter] [--cases 1] [METHOD...]

SUITES is the folder `benchmarks/public` of CompactBench's source. MODEL is `gguf:FILE`, or any other that
`tamis eval --reader` takes. METHOD is one of its built-in ones, `ledger@2` (a budget of half of the text),
`full` or `nothing`. So many cases of each template, compacted once; an answer of a file is cut off behind 100
tokens. A file of results for each, as its program writes them, in OUT: `tamis bench score OUT/*.jsonl` prints
its figures; here the mean score is printed, with the interval over cases. A file gets one thread, so that a
busy machine slows it least.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import compactbench.compactors as methods
import compactbench.providers as providers
import compactbench.scoring.compression as compression
from compactbench.compactors import Compactor
from compactbench.contracts import CompactionArtifact, Transcript
from compactbench.dsl import DifficultyLevel
from compactbench.providers import CompletionRequest, CompletionResponse, Provider
from compactbench.runner import RunArgs, run_experiment

from tamis.compactors import get_method
from tamis.evals.inference.intervals import SHARE, estimate_mean
from tamis.integrations.compactbench import compactor_class
from tamis.messages import Counter, get_counter
from tamis.models import Prompt, get_model

METHODS = ("ledger@2", "naive-summary", "structured-state", "full", "nothing")
WINDOW_TOKENS, ANSWER_TOKENS = 4096, 100


def asked_of(name: str) -> type[Provider]:
    """Any model as a provider of theirs; a file runs in this process."""
    kind, _, file = name.partition(":")
    if kind == "gguf":
        return of_file(file)
    model = get_model(name)

    class Asked(Provider):
        key = "asked"

        async def complete(self, request: CompletionRequest) -> CompletionResponse:
            wanted = "Answer with one JSON object, and nothing else." if request.response_format else ""
            reply = await model.ask(Prompt(instructions=wanted, text=request.prompt))
            return CompletionResponse(
                text=reply.text,
                prompt_tokens=reply.input_tokens,
                completion_tokens=reply.output_tokens,
                model=request.model,
            )

    return Asked


def of_file(file: str) -> type[Provider]:
    """A GGUF file, made to keep to JSON where that is asked for."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel = file, WINDOW_TOKENS, 1
    params.cpuparams.n_threads, params.verbosity, params.warmup = 1, -1, False
    server = xllamacpp.Server(params)

    class Local(Provider):
        key = "local"

        async def complete(self, request: CompletionRequest) -> CompletionResponse:
            said: list[str] = []

            def take(chunk: Any) -> bool:
                said.extend((c.get("delta") or {}).get("content") or "" for c in chunk.get("choices", []))
                return False

            asked: dict[str, Any] = {
                "messages": [{"role": "user", "content": request.prompt}],
                "temperature": 0.0, "seed": 0, "stream": True, "max_tokens": ANSWER_TOKENS,
            }  # fmt: skip
            if request.response_format:
                asked["response_format"] = request.response_format
            server.handle_chat_completions(asked, take)
            return CompletionResponse(
                text="".join(said), prompt_tokens=0, completion_tokens=0, model=request.model
            )

    return Local


class Full(Compactor):
    """Nothing taken out, as a summary."""

    name, version = "full", "1"

    async def compact(self, transcript: Transcript, *_: object, **__: object) -> CompactionArtifact:
        """The transcript."""
        return CompactionArtifact(
            summaryText="\n\n".join(f"{t.role.value.upper()}: {t.content}" for t in transcript.turns)
        )


class Nothing(Compactor):
    """All taken out."""

    name, version = "nothing", "1"

    async def compact(self, *_: object, **__: object) -> CompactionArtifact:
        """An empty artifact."""
        return CompactionArtifact(summaryText="")


def ours(method: str, ratio: float, counter: Counter) -> type[Compactor]:
    """A method of tamis; its budget is the first transcript's text by the ratio, as with `--compat`."""

    class AtRatio(Compactor):
        name, version = f"{method}@{ratio:g}", get_method(method).version

        async def compact(
            self,
            transcript: Transcript,
            config: dict[str, Any] | None = None,
            previous_artifact: CompactionArtifact | None = None,
        ) -> CompactionArtifact:
            if previous_artifact is None:
                text = sum(counter.count_many([turn.content for turn in transcript.turns]))
                made = compactor_class(method=method, budget=int(text / ratio), tokenizer="cl100k_base")
                self.within = made(self.provider, self.model)
            return await self.within.compact(transcript, config, previous_artifact)

    return AtRatio


def main() -> None:
    """Run each method."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suites", type=Path)
    parser.add_argument("model")
    parser.add_argument("out", type=Path)
    parser.add_argument("methods", nargs="*", metavar="METHOD")
    parser.add_argument("--suite", default="starter")
    parser.add_argument("--cases", type=int, default=1)
    given = parser.parse_args()
    counter = get_counter("cl100k_base")  # theirs fetches the encoding from the network
    compression.count_tokens = lambda text, *_, **__: counter.count(text)
    providers._REGISTRY["asked"] = asked_of(given.model)
    given.out.mkdir(parents=True, exist_ok=True)
    for name in given.methods or METHODS:
        kind, _, ratio = name.partition("@")
        own = {"full": Full, "nothing": Nothing}
        if ratio:
            own[name] = ours(kind, float(ratio), counter)
        methods._BUILT_IN.update(own)
        args = RunArgs(
            method_spec=f"built-in:{name}", suite_key=given.suite, provider_key="asked",
            model=Path(given.model).name, difficulty=DifficultyLevel.MEDIUM, drift_cycles=0,
            case_count_per_template=given.cases, seed_group="default", benchmarks_dir=given.suites,
            output_path=given.out / f"{name}.jsonl", resume=False,
        )  # fmt: skip
        asyncio.run(run_experiment(args))
        print(name, shown(scores_of(args.output_path)))


def scores_of(results: Path) -> list[float]:
    """The score of each case, as their program wrote it."""
    events = map(json.loads, results.read_text(encoding="utf-8").splitlines())
    return [e["case_result"]["case_score"] for e in events if e["event"] == "case_complete"]


def shown(scores: Sequence[float]) -> str:
    """The mean with its 95 % interval over cases, and how many they are."""
    made = estimate_mean(scores, [str(case) for case in range(len(scores))], within=SHARE)
    if made is None or made.low is None:
        return f"not measured, or one case: {list(scores)}"
    return f"{made.mean:.2f} ({made.low:.2f} to {made.high:.2f}), {made.points} cases"


if __name__ == "__main__":
    main()
