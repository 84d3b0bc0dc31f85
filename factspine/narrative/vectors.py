"""Dense vectors: texts as points, near where they mean alike. An extra, with a model that comes within a package.

The model is a table of vectors, one for each piece of a word; a text is the mean of its pieces. It is read from the
files of the installed package: nothing is downloaded, and the same text gives the same vector everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from factspine.core.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE = "wordllama"
_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_PIECES_MAX = 512
DECIMALS = 4  # of a similarity: what differs less is a tie, whatever machine it was worked out on


class Embedder:
    """The model of the extra. Made by `bundled`."""

    def __init__(self, name: str, tokenizer: Path, weights: Path) -> None:
        import numpy as np
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        self.name = name
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_PIECES_MAX)
        (table,) = load_file(str(weights)).values()
        self._table = np.asarray(table, dtype=np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector of length one for each text; nought for a text without words."""
        import numpy as np

        out = np.zeros((len(texts), self._table.shape[1]), dtype=np.float32)
        for row, pieces in enumerate(self._tokenizer.encode_batch(list(texts), add_special_tokens=False)):
            if pieces.ids:
                out[row] = self._table[pieces.ids].mean(axis=0)
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, lengths, out=out, where=lengths > 0)
        return out


@cache
def bundled() -> Embedder:
    """The model that comes with the extra."""
    try:
        name = f"{_PACKAGE}-{version(_PACKAGE)}/l2_supercat_256"
    except PackageNotFoundError as error:
        raise UsageError("dense search needs the extra: pip install 'factspine[dense]'") from error
    home = Path(str(files(_PACKAGE)))
    return Embedder(name, home / _TOKENIZER, home / _WEIGHTS)
