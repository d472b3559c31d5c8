"""CompactBench's own program, over one of its suites, with a GGUF file as the model: its methods and tamis's.

    python benchmarks/published_methods.py SUITES MODEL.gguf OUT [METHOD...]

SUITES is the folder `benchmarks/public` of CompactBench's source. METHOD is one of its built-in ones,
`ledger@2` (a budget of half of the text), `full` or `nothing`. One case of each template of `starter`,
compacted once; an answer is cut off behind 100 tokens. A file of results for each, as its program
writes them, in OUT: `tamis bench score OUT/*.jsonl` prints the figures. One thread, so that a busy machine
slows it least.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import compactbench.compactors as methods
import compactbench.providers as providers
import compactbench.scoring.compression as compression
import xllamacpp
from compactbench.compactors import Compactor
from compactbench.contracts import CompactionArtifact, Transcript
from compactbench.dsl import DifficultyLevel
from compactbench.providers import CompletionRequest, CompletionResponse, Provider
from compactbench.runner import RunArgs, run_experiment

from tamis.compactors import get_method
from tamis.integrations.compactbench import compactor_class
from tamis.messages import Counter, get_counter

METHODS = ("ledger@2", "naive-summary", "structured-state", "full", "nothing")
SUITE, CASES, CYCLES = "starter", 1, 0
WINDOW_TOKENS, ANSWER_TOKENS = 4096, 100


def served(file: str) -> type[Provider]:
    """The file as a provider of theirs."""
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
    suites, model, out, *asked = sys.argv[1:]
    counter = get_counter("cl100k_base")  # theirs fetches the encoding from the network
    compression.count_tokens = lambda text, *_, **__: counter.count(text)
    providers._REGISTRY["local"] = served(model)
    Path(out).mkdir(parents=True, exist_ok=True)
    for name in asked or METHODS:
        kind, _, ratio = name.partition("@")
        own = {"full": Full, "nothing": Nothing}
        if ratio:
            own[name] = ours(kind, float(ratio), counter)
        methods._BUILT_IN.update(own)
        args = RunArgs(
            method_spec=f"built-in:{name}", suite_key=SUITE, provider_key="local", model=Path(model).name,
            difficulty=DifficultyLevel.MEDIUM, drift_cycles=CYCLES, case_count_per_template=CASES,
            seed_group="default", benchmarks_dir=Path(suites), output_path=Path(out, f"{name}.jsonl"),
            resume=False,
        )  # fmt: skip
        asyncio.run(run_experiment(args))


if __name__ == "__main__":
    main()
