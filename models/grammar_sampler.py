"""Picks the next token of a language model, within a grammar when there is one.

The sampler of llama-cpp-python filters the whole vocabulary by the grammar at every token (12-20 ms for the 152,000 tokens of
Qwen, measured). Here the grammar is asked about the few most likely tokens first, and about all of them only when it
refuses those: the same token in the end, at a fraction of the time. Runs in the child.
"""

import ctypes
from typing import Any

import llama_cpp
import numpy as np
from llama_cpp import Llama
from numpy.typing import NDArray

from core.errors import ModelError

_FEW = 40
_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""The memory layout of `llama_token_data`."""


class TokenPicker:
    """Picks tokens for one reply; always `close` it.

    Raises:
        ModelError: the grammar is not valid GBNF. Handing such a grammar to a completion would end the process with a
            segmentation fault (measured), so this is the only way a grammar gets in.
    """

    def __init__(self, llama: Llama, grammar: str, temperature: float, seed: int = 0) -> None:
        self._llama = llama
        self._vocabulary_size = llama.n_vocab()
        self._temperature = temperature
        self._random = np.random.default_rng(seed)
        self._grammar = _compile(llama, grammar) if grammar else None

    def pick(self) -> int:
        """The next token, given what the model has read so far."""
        logits = np.ctypeslib.as_array(
            llama_cpp.llama_get_logits_ith(self._llama.ctx, -1), shape=(self._vocabulary_size,)
        )
        few = np.argpartition(logits, -_FEW)[-_FEW:]
        allowed = self._allowed(few, logits[few])
        if not len(allowed):
            allowed = self._allowed(np.arange(self._vocabulary_size), logits)
        if not len(allowed):
            raise ModelError("The grammar of this prompt allows no way to go on.", "Please report this as a bug.")
        token = int(self._choose(allowed))
        if self._grammar is not None and not llama_cpp.llama_vocab_is_eog(self._llama._model.vocab, token):
            llama_cpp.llama_sampler_accept(self._grammar, token)
        return token

    def close(self) -> None:
        """Free the grammar."""
        if self._grammar is not None:
            llama_cpp.llama_sampler_free(self._grammar)
            self._grammar = None

    def _allowed(self, ids: NDArray[np.int64], logits: NDArray[np.float32]) -> NDArray[np.void]:
        candidates = np.zeros(len(ids), dtype=_CANDIDATE)
        candidates["id"], candidates["logit"] = ids, logits
        if self._grammar is None:
            return candidates
        view = llama_cpp.llama_token_data_array(
            data=candidates.ctypes.data_as(llama_cpp.llama_token_data_p), size=len(ids), selected=-1, sorted=False
        )
        llama_cpp.llama_sampler_apply(self._grammar, ctypes.byref(view))
        survivors: NDArray[np.void] = candidates[np.isfinite(candidates["logit"])]
        return survivors

    def _choose(self, candidates: NDArray[np.void]) -> np.int32:
        logits = candidates["logit"].astype(np.float64)
        if self._temperature <= 0:
            best: np.int32 = candidates["id"][int(logits.argmax())]
            return best
        weights = np.exp((logits - logits.max()) / self._temperature)
        drawn: np.int32 = self._random.choice(candidates["id"], p=weights / weights.sum())
        return drawn


def check_grammar(llama: Llama, grammar: str) -> None:
    """Make sure that a grammar can be used with this model.

    Raises:
        ModelError: it is not valid GBNF.
    """
    llama_cpp.llama_sampler_free(_compile(llama, grammar))


def _compile(llama: Llama, grammar: str) -> Any:  # a pointer of ctypes
    # An empty grammar would be taken for "anything goes".
    code = grammar.strip().encode("utf-8")
    sampler = llama_cpp.llama_sampler_init_grammar(llama._model.vocab, code, b"root") if code else None
    if not sampler:
        raise ModelError("The grammar of this prompt is not valid.", "Please report this as a bug.")
    return sampler
