"""The errors FactSpine raises, grouped by who must act.

FactSpineError
├── UsageError            the caller asked for something that cannot be: change the call
│   └── UnknownMoment     … as of a moment, run or revision that there is not
├── InputRejected         a document cannot be read: change the document (carries a finding code)
│   └── LimitExceeded     … because it is larger than a named limit allows: raise the limit
├── SandboxFailed         the extraction child died, hung or spoke nonsense (carries a finding code)
├── ProviderFailed        a language model gave no usable reply (in `providers`; carries a code)
└── StoreError            the store cannot be used as it is
    ├── RecordRefused     what was read breaks a rule of the record; the rest of the run stands
    ├── StoreMissing
    ├── StoreBusy
    └── SchemaMismatch
"""

from __future__ import annotations


class FactSpineError(Exception):
    """Everything FactSpine raises on purpose."""


class UsageError(FactSpineError):
    """The call makes no sense as it stands."""


class UnknownMoment(UsageError):
    """No moment, run or revision is called so."""


class InputRejected(FactSpineError):
    """A document cannot be read; `code` is the finding that says so."""

    def __init__(self, code: str, message: str, *, remedy: str = "", locator: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.remedy = remedy
        self.locator = locator


class LimitExceeded(InputRejected):
    """A document is larger than a named limit; the message says how much and what to raise."""

    def __init__(self, limit: str, found: int, allowed: int, *, code: str = "FS103", locator: str = "") -> None:
        super().__init__(
            code,
            f"{limit} is {found:,}; the limit is {allowed:,}.",
            remedy=f"Split the document or raise limits.{limit}.",
            locator=locator,
        )
        self.limit = limit
        self.found = found
        self.allowed = allowed


class SandboxFailed(FactSpineError):
    """The extraction child ended without a result; `code` is the finding that says how."""

    def __init__(self, code: str, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.remedy = remedy


class StoreError(FactSpineError):
    """The store cannot be used as it is."""


class RecordRefused(StoreError):
    """What was read of one document breaks a rule of the record."""


class StoreMissing(StoreError):
    """There is no store at this address."""


class StoreBusy(StoreError):
    """Another process holds the write lock for longer than we were told to wait."""


class SchemaMismatch(StoreError):
    """The store was made by another version."""
