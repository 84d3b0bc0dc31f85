"""Bringing a store to the schema this version writes.

Alembic is loaded only when there is something to migrate: opening an up-to-date store is one query. A new embedded
store is built under another name and linked into place, so that no other process ever sees half a schema.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from sqlalchemy import Column, Connection, Engine, MetaData, Table, Text, inspect, select

from factspine.core.errors import SchemaMismatch, StoreError
from factspine.store.engine import (
    create_sqlite_file,
    make_engine,
    reading_transaction,
    sqlite_path,
    store_url,
    writing_transaction,
)
from factspine.store.schema import SCHEMA_VERSION

_PACKAGED = Path(__file__).parent / "migrations"  # inside a wheel
_CHECKOUT = Path(__file__).parents[2] / "alembic"  # in a working copy


_ALEMBIC_VERSION = Table("alembic_version", MetaData(), Column("version_num", Text()))


def script_location() -> Path:
    """Where the migrations are."""
    for folder in (_PACKAGED, _CHECKOUT):
        if (folder / "env.py").is_file():
            return folder
    raise StoreError("the migrations are missing from this installation; install factspine again")


def current_version(engine: Engine) -> str | None:
    """The schema version of a store; None for a database that holds no store yet."""
    with reading_transaction(engine) as connection:
        return _version(connection)


def require_current(engine: Engine) -> None:
    """Refuse a store of another schema version, saying what to do."""
    version = current_version(engine)
    if version == SCHEMA_VERSION:
        return
    if version is None:
        raise SchemaMismatch("this database holds no store yet; `factspine init` prepares it")
    if version < SCHEMA_VERSION:
        raise SchemaMismatch(
            f"the store has schema {version}, this version needs {SCHEMA_VERSION}; `factspine db upgrade` migrates it"
        )
    raise SchemaMismatch(f"the store has schema {version}, newer than {SCHEMA_VERSION}; upgrade factspine")


def upgrade(engine: Engine) -> None:
    """Make the store if there is none, and migrate it to the newest schema."""
    path = sqlite_path(engine.url)
    if path is not None and not path.exists():
        _create(path)
        return
    version = current_version(engine)
    if version == SCHEMA_VERSION:
        return
    if version is not None and version > SCHEMA_VERSION:
        require_current(engine)
    with writing_transaction(engine) as connection:
        if _version(connection) != SCHEMA_VERSION:  # another process may have migrated while we waited
            _run_migrations(connection)


def _create(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
        built = Path(folder) / "store.db"
        create_sqlite_file(built)
        engine = make_engine(store_url(built))
        try:
            with writing_transaction(engine) as connection:
                _run_migrations(connection)
        finally:
            engine.dispose()  # closing the last connection folds the write-ahead log into the file
        _put_in_place(built, path)
    _sync_folder(path.parent)


def _put_in_place(built: Path, path: Path) -> None:
    try:
        os.link(built, path)
    except FileExistsError:
        return  # another process was first; its store is as good as ours
    except OSError:  # a file system without hard links
        if not path.exists():
            built.rename(path)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.execute(select(_ALEMBIC_VERSION.c.version_num)).scalar()
    return version


def _run_migrations(connection: Connection) -> None:
    from alembic.config import Config

    from alembic import command

    config = Config()
    config.set_main_option("script_location", str(script_location()).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
