"""Runs the migrations: on the connection the store hands over, or, from the command line, on FACTSPINE_STORE."""

from __future__ import annotations

import os

from alembic import context
from factspine.store.engine import make_engine, store_url, writing_transaction
from factspine.store.schema import metadata


def run_on(connection: object) -> None:
    context.configure(connection=connection, target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


def run_from_command_line() -> None:
    engine = make_engine(store_url(os.environ.get("FACTSPINE_STORE", "data/fact_metric.db")))
    try:
        with writing_transaction(engine) as connection:
            run_on(connection)
    finally:
        engine.dispose()


given = context.config.attributes.get("connection")
if given is not None:
    run_on(given)
else:
    run_from_command_line()
