"""The protocol's library, made to answer every request: also one that makes no sense, comes too early or too late."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

_BEFORE = frozenset({types.INITIALIZE, types.EXIT})
_AFTER = frozenset({types.EXIT})


def refusal(reason: str) -> JsonRpcException:
    """The answer to a request for what cannot be given."""
    return JsonRpcException(reason, types.LSPErrorCodes.RequestFailed.value)


class Protocol(LanguageServerProtocol):
    """Reads messages and hands them on."""

    _began = False

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as an object; None if it was a request that could not be read, and has been answered so."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" not in data or "method" not in data:
                raise
            self._send_response(data["id"], error=error.to_response_error())
            return None

    def handle_message(self, message: Any) -> None:
        """Do what a message asks for, if it comes at the right time."""
        if message is None:
            return
        method = getattr(message, "method", None)
        if method is not None and not self._began and method not in _BEFORE:
            self._refuse(message, types.ErrorCodes.ServerNotInitialized, "the session has not begun")
        elif method is not None and self._shutdown and method not in _AFTER:
            self._refuse(message, types.ErrorCodes.InvalidRequest, "the session has ended")
        else:
            self._began = self._began or method == types.INITIALIZE
            super().handle_message(message)

    def _refuse(self, message: Any, code: types.ErrorCodes, reason: str) -> None:
        number = getattr(message, "id", None)
        if number is not None:
            self._send_response(number, error=types.ResponseError(code.value, reason))
