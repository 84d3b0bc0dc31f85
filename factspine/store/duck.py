"""The read side out of an analytic copy: the record's own queries, asked of DuckDB.

A copy carries views named as the tables of the record (schema `stored`), so that everything that reads the record reads
a copy too, by the same code, and gives the same answers. What differs between the databases is said here. A copy is
opened for reading only, with nothing outside within reach, and never changes while it is open: a refresh puts another
file in its place, for whoever opens it next.
"""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects import registry
from sqlalchemy.engine import URL
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.sql.compiler import SQLCompiler

from factspine.core.errors import StoreMissing

if TYPE_CHECKING:
    import duckdb

SCHEME = "duckdb"
STORED_SCHEMA = "stored"
READ_MEMORY = "2GB"
_FOLDED = f"'{ascii_uppercase}', '{ascii_lowercase}'"


def open_copy(path: Path, memory: str = READ_MEMORY, *, reachable: tuple[Path, ...] = ()) -> duckdb.DuckDBPyConnection:
    """A locked-down connection to a copy; `reachable` are the only files a query may write or read."""
    import duckdb

    if not path.is_file():
        raise StoreMissing(f"there is no analytic copy at {path}; `factspine sql` makes one")
    config: dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "memory_limit": memory,
        # Without a place to spill to, the memory limit is what it says, and nothing is written beside the store.
        "temp_directory": "",
    }
    connection = duckdb.connect(str(path), read_only=True, config=config)
    # In this order: files can be allowed only before the outside is closed, and after the last line no setting can be
    # changed any more, this one included. Of several connections in a process the first does it for all.
    (locked,) = connection.execute("SELECT current_setting('lock_configuration')").fetchone() or (False,)
    if not locked:
        paths = ", ".join("'" + str(one.resolve()).replace("'", "''") + "'" for one in reachable)
        for setting in (
            "allowed_paths = [" + paths + "]",
            "enable_external_access = false",
            "lock_configuration = true",
        ):
            connection.execute(f"SET {setting}")
    return connection


def make_copy_engine(url: URL) -> Engine:
    """An engine that reads the copy at the path of a URL; nothing is opened yet."""
    path = Path(url.database or "")
    engine = create_engine(
        URL.create(SCHEME, database=str(path)),
        creator=lambda: open_copy(path),
        hide_parameters=True,
    )
    return engine.execution_options(schema_translate_map={None: STORED_SCHEMA})


class _Compiler(SQLCompiler):
    def visit_lower_func(self, fn: Any, **options: Any) -> str:
        # As SQLite folds: ASCII only.
        return f"translate({self.process(fn.clauses.clauses[0], **options)}, {_FOLDED})"


class CopyDialect(DefaultDialect):
    """As much of DuckDB's SQL as reading the record takes."""

    name = SCHEME
    driver = SCHEME
    statement_compiler = _Compiler
    supports_statement_cache = True
    default_paramstyle = "qmark"

    @classmethod
    def import_dbapi(cls) -> Any:
        """The driver."""
        import duckdb

        return duckdb

    def initialize(self, connection: Any) -> None:
        """Nothing to ask of a database we know."""

    def do_begin(self, dbapi_connection: Any) -> None:
        """A file that never changes needs no transaction."""

    def do_commit(self, dbapi_connection: Any) -> None:
        """Nothing was written."""

    def do_rollback(self, dbapi_connection: Any) -> None:
        """Nothing was written."""

    def has_table(self, connection: Any, table_name: str, schema: str | None = None, **_: Any) -> bool:
        """Whether the copy has such a table or view."""
        query = "SELECT count(*) FROM information_schema.tables WHERE table_schema = ? AND table_name = ?"
        return bool(connection.exec_driver_sql(query, (schema or STORED_SCHEMA, table_name)).scalar())


registry.register(SCHEME, __name__, CopyDialect.__name__)
