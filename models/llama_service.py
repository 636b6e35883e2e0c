"""The chat role on llama.cpp, the child's side: reads a prompt and writes the reply token by token."""

import codecs

from llama_cpp import Llama

from core.child import ChildLink
from core.errors import JobCancelled, ModelError
from core.ports import Prompt, Reply
from models.grammar_sampler import TokenPicker, check_grammar
from models.llama_runtime import ChatTemplate, PromptReader, ends_reply, load_llama, token_bytes


def load(link: ChildLink, model_id: str, path: str, context_tokens: int, gpu: str = "none") -> "ChatService":
    """The factory of the child's service."""
    return ChatService(link, load_llama(model_id, path, context_tokens, gpu=gpu))


class ChatService:
    """The child's side: one model, one prompt at a time."""

    def __init__(self, link: ChildLink, llama: Llama) -> None:
        self._link = link
        self._llama = llama
        self._template = ChatTemplate(llama)
        self._reader = PromptReader(llama)

    def complete(self, prompt: Prompt) -> Reply:
        """Read the prompt, then write token by token."""
        tokens = self._template.tokens(prompt.system, prompt.user)
        self._refuse_too_long(len(tokens.tokens), prompt.max_tokens)
        picker = TokenPicker(self._llama, prompt.grammar, prompt.temperature)
        try:
            fresh = self._reader.read(tokens, self._link.interrupted)
            text, written, is_complete = self._write(picker, prompt.max_tokens)
        finally:
            picker.close()
        return Reply(text, is_complete, len(tokens.tokens), fresh, written)

    def check_grammar(self, grammar: str) -> None:
        """Raises ModelError when the grammar is not valid."""
        check_grammar(self._llama, grammar)

    def close(self) -> None:
        """Free the weights; `Llama.__del__` alone complains at the interpreter's end."""
        self._llama.close()

    def _write(self, picker: TokenPicker, max_tokens: int) -> tuple[str, int, bool]:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        pieces: list[str] = []
        for written in range(max_tokens):
            if self._link.interrupted():
                raise JobCancelled
            token = picker.pick()
            if ends_reply(self._llama, token):
                return "".join(pieces), written, True
            piece = decoder.decode(token_bytes(self._llama, token))
            if piece:
                pieces.append(piece)
                self._link.part(piece)
            self._llama.eval([token])
        return "".join(pieces), max_tokens, False

    def _refuse_too_long(self, prompt_tokens: int, reply_tokens: int) -> None:
        room = self._llama.n_ctx()
        if prompt_tokens + reply_tokens > room:
            raise ModelError(
                f"The prompt ({prompt_tokens} tokens) and its reply (up to {reply_tokens}) do not fit into the "
                f"{room} tokens of the language model.",
                "Ask about fewer memories, or choose a model with a longer context.",
            )
