"""A language model behind an OpenAI-compatible address: a hosted service or a server of one's own.

Nothing is sent anywhere unless an address was given. Each call has a deadline for the whole of it and a limit on how
much is read, redirects are not followed, and nothing of what was asked gets into a log.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from factspine.core.errors import UsageError
from factspine.core.providers import ProviderFailed

URL_VARIABLES = ("FACTSPINE_MODEL_URL", "OPENAI_BASE_URL")
KEY_VARIABLES = ("FACTSPINE_MODEL_KEY", "OPENAI_API_KEY")
TIMEOUT_VARIABLE = "FACTSPINE_MODEL_SECONDS"
DEFAULT_SECONDS = 20.0
_REPLY_BYTES_MOST = 1 << 20
_THREAD = "factspine-model"
_LOGGERS = ("openai", "openai._base_client", "openai._response", "openai._legacy_response", "httpx", "httpx2")


class EndpointProvider:
    """A model at an OpenAI-compatible address. Serves the reading of questions and the writing of prose alike."""

    def __init__(self, model: str, *, base_url: str, key: str = "", seconds: float = DEFAULT_SECONDS) -> None:
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise UsageError("the model's address must begin with http:// or https://; set FACTSPINE_MODEL_URL.")
        if not 0 < seconds <= 600:
            raise UsageError(f"a model cannot be waited for {seconds:g} seconds; give more than 0 and at most 600.")
        self._model = model
        self._url = base_url
        self._key = key
        self._seconds = seconds

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model

    def complete(self, instructions: str, material: str) -> str:
        """The model's answer to a prompt, as it gave it."""
        message = self._ask(instructions, material)
        content = message.get("content")
        if not isinstance(content, str) or not content.strip():
            raise ProviderFailed("refused" if message.get("refusal") else "no_text", "the model gave no text")
        return content

    def call_tool(self, instructions: str, material: str, tool: Mapping[str, Any]) -> str:
        """The arguments the model fills a tool with; a server that knows no tools may write them as its text."""
        choice = {"type": "function", "function": {"name": tool["function"]["name"]}}
        message = self._ask(instructions, material, tools=[tool], tool_choice=choice)
        for call in _items(message.get("tool_calls")):
            function = call.get("function")
            if isinstance(function, dict) and function.get("name") == tool["function"]["name"]:
                arguments = function.get("arguments")
                if isinstance(arguments, str):
                    return arguments
        content = message.get("content")
        if isinstance(content, str) and content.strip():
            return content
        raise ProviderFailed("refused" if message.get("refusal") else "no_tool_call", "the model called no tool")

    def _ask(self, instructions: str, material: str, **options: Any) -> dict[str, Any]:
        messages = [{"role": "system", "content": instructions}, {"role": "user", "content": material}]
        body = within(self._seconds, lambda stop: self._post(messages, options, stop))
        return _message(body)

    def _post(self, messages: Any, options: dict[str, Any], stop: threading.Event) -> bytes:
        import openai

        try:
            with openai.OpenAI(
                api_key=self._key or "none",
                base_url=self._url,
                timeout=self._seconds,
                max_retries=0,
                http_client=openai.DefaultHttpxClient(follow_redirects=False),
            ) as client:
                request = client.chat.completions.with_streaming_response.create
                # No sampling options: some servers refuse the ones that others need.
                with request(model=self._model, messages=messages, **options) as reply:
                    return _read(reply.iter_bytes(), stop)
        except openai.APITimeoutError as error:
            raise ProviderFailed("timeout", "the model took too long") from error
        except openai.APIStatusError as error:
            raise ProviderFailed(f"http_{error.status_code}", "the model's server refused") from error
        except openai.APIConnectionError as error:
            raise ProviderFailed("unreachable", "the model's server cannot be reached") from error
        except ProviderFailed:
            raise
        except Exception as error:
            # A connection cut off while it is read comes as an error of the transport below the client.
            raise ProviderFailed("broken", f"the reply broke off ({type(error).__name__})") from error


def provider_from_environment(model: str, environment: Mapping[str, str] = os.environ) -> EndpointProvider | None:
    """The provider for a model's name, its address and key from the environment; None for `none` or nothing."""
    if model.strip().casefold() in ("", "none"):
        return None
    url = _first(environment, URL_VARIABLES)
    if not url:
        raise UsageError(
            f"where model {model} runs is not known; set FACTSPINE_MODEL_URL to its OpenAI-compatible URL."
        )
    try:
        import openai  # noqa: F401 - so that a missing client is told before the first question
    except ImportError as error:
        raise UsageError("asking a model needs the client: pip install 'factspine[model]'.") from error
    seconds = environment.get(TIMEOUT_VARIABLE, "")
    try:
        waited = float(seconds) if seconds else DEFAULT_SECONDS
    except ValueError as error:
        raise UsageError(f"{TIMEOUT_VARIABLE} is no number of seconds.") from error
    return EndpointProvider(model, base_url=url, key=_first(environment, KEY_VARIABLES), seconds=waited)


def within(seconds: float, work: Callable[[threading.Event], bytes]) -> bytes:
    """The result of some work, or `timeout`: a server that trickles bytes gets no longer than one that is silent.

    The client's own timeouts hold between two bytes only. The thread is told to stop and ends with its next byte.
    """
    _quieten()
    stop = threading.Event()
    results: list[bytes] = []
    failures: list[Exception] = []

    def run() -> None:
        try:
            results.append(work(stop))
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=run, name=_THREAD, daemon=True)
    thread.start()
    thread.join(seconds)
    if results:
        return results[0]
    stop.set()
    if failures:
        raise failures[0]
    raise ProviderFailed("timeout", "the model took too long")


class _NotOurs(logging.Filter):
    """Keeps what we send to a model out of the client's log; what others do with the same client is logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.threadName != _THREAD


_FILTER = _NotOurs()


def _quieten() -> None:
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_FILTER)  # adding it twice adds nothing


def _read(chunks: Iterable[bytes], stop: threading.Event) -> bytes:
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > _REPLY_BYTES_MOST:
            raise ProviderFailed("too_long", f"the reply is longer than {_REPLY_BYTES_MOST:,} bytes")
        if stop.is_set():
            raise ProviderFailed("timeout", "the model took too long")
    return bytes(body)


def _message(body: bytes) -> dict[str, Any]:
    """The message in a reply; whatever else a server sends is no message."""
    import orjson

    try:
        message = orjson.loads(body)["choices"][0]["message"]
    except (orjson.JSONDecodeError, KeyError, IndexError, TypeError) as error:
        raise ProviderFailed("garbage", "the reply holds no message") from error
    if not isinstance(message, dict):
        raise ProviderFailed("garbage", "the reply holds no message")
    return message


def _items(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _first(environment: Mapping[str, str], names: Iterable[str]) -> str:
    return next((environment[name] for name in names if environment.get(name)), "")
