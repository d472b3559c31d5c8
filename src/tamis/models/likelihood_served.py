"""Likelihoods from a server that gives log-probabilities of its prompt, over `/v1/completions` with `echo`.

vLLM and the server of llama-cpp-python do; llama-server and the hosted chat APIs do not, and that is said.
"""

import asyncio
import math
from itertools import accumulate, pairwise

import httpx
from pydantic import BaseModel, ValidationError

from tamis.errors import ModelTimeout, ModelUnreachable, RequestRejected, UnknownModel, UnusableReply
from tamis.models.likelihood import Cost
from tamis.models.registry import read_key
from tamis.models.server_address import split_address
from tamis.models.translation import from_status

TIMEOUT_S = 600.0
_REMEDY = "name a server that answers `echo` with `logprobs` on /v1/completions, such as vLLM's"


class _Logprobs(BaseModel, extra="ignore"):
    tokens: list[str]
    token_logprobs: list[float | None]


class _Choice(BaseModel, extra="ignore"):
    logprobs: _Logprobs | None = None


class _Completion(BaseModel, extra="ignore"):
    choices: list[_Choice]


class ServedLikelihoods:
    """A model behind `http://host:port[/v1][#model]`; without `#model` the server's first is taken."""

    def __init__(self, address: str, *, timeout_s: float = TIMEOUT_S) -> None:
        """Nothing is sent yet.

        Raises:
            UnknownModel: no address.
        """
        self.name = address
        self._url, self._model = split_address(address)
        self._timeout_s = timeout_s
        key = read_key()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers, timeout=timeout_s)

    async def bits(self, prefix: str, continuation: str) -> Cost:
        """Have the server read both, and sum up what it says of the continuation.

        Raises:
            ModelError: one of its kinds; a server that says nothing of its prompt is an `UnusableReply`.
        """
        return await asyncio.to_thread(self._bits, prefix or "\n", continuation)

    def _bits(self, prefix: str, continuation: str) -> Cost:
        question = {
            "model": self._named(),
            "prompt": prefix + continuation,
            "echo": True,
            "logprobs": 1,
            "max_tokens": 1,  # some servers take no 0; what they generate is left out
            "temperature": 0.0,
        }
        answer = self._send("POST", "completions", question)
        try:
            told = _Completion.model_validate_json(answer.content).choices[0].logprobs
        except (ValidationError, IndexError):
            raise UnusableReply(f"{self.name} answered with something else than a completion") from None
        if told is None:
            raise UnusableReply(f"{self.name} gives no log-probabilities; {_REMEDY}")
        return self._cost(told, len(prefix), len(prefix) + len(continuation))

    def _cost(self, told: _Logprobs, start: int, end: int) -> Cost:
        """What the tokens cost that have a character from `start` on and before `end`."""
        places = pairwise([0, *accumulate(map(len, told.tokens))])
        ours = [at for at, (begins, ends) in enumerate(places) if ends > start and begins < end]
        if len(told.tokens) != len(told.token_logprobs) or not ours or ours[0] == 0:
            raise UnusableReply(f"{self.name} gives no log-probabilities of its prompt; {_REMEDY}")
        costs = [told.token_logprobs[at] for at in ours]
        known = [cost for cost in costs if cost is not None]
        if len(known) < len(costs):
            raise UnusableReply(f"{self.name} leaves out log-probabilities of its prompt; {_REMEDY}")
        return Cost(bits=-sum(known) / math.log(2), tokens=len(ours), prefix_tokens=ours[0])

    def _named(self) -> str:
        if not self._model:
            listed = self._send("GET", "models").json()
            names = [str(model.get("id")) for model in listed.get("data", [])]
            if not names:
                raise UnknownModel(f"{self.name} names no model; write {self.name}#MODEL")
            self._model = names[0]
        return self._model

    def _send(self, verb: str, path: str, body: object = None) -> httpx.Response:
        try:
            answer = self._client.request(verb, f"{self._url}/{path}", json=body)
        except httpx.TimeoutException:
            raise ModelTimeout(f"{self.name}: no answer within {self._timeout_s:g} seconds") from None
        except httpx.HTTPError as error:
            raise ModelUnreachable(f"{self.name} cannot be reached: {error}") from None
        if answer.is_success:
            return answer
        said = " ".join(answer.text.split())[:300]
        if "echo" in said:
            raise RequestRejected(f"{self.name}: {said}; {_REMEDY}")
        raise from_status(answer.status_code, said, model=self.name)
