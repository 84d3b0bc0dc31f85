"""`factspine init` and `factspine db`: making a store and keeping its schema current."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from factspine.cli.app import DEFAULT_STORE, JsonOption, StoreOption, ViewerOption, app
from factspine.cli.console import console, print_json
from factspine.core.errors import UsageError


@app.command()
def init(store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> None:
    """Make a store, or bring an existing one to the current schema."""
    from factspine.store.store import FactStore

    with FactStore(store) as opened:
        opened.init_schema()
        version = opened.schema_version()
    if as_json:
        print_json({"store": store, "schema": version})
    else:
        console.print(f"[green]ready[/]  {store}  (schema {version})")


@app.command()
def db(
    action: Annotated[str, typer.Argument(help="current, upgrade or runs")] = "current",
    viewer: ViewerOption = "",
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Look at a store's schema and runs, or upgrade it."""
    from factspine.store.store import FactStore

    with FactStore(store) as opened:
        if action == "upgrade":
            opened.init_schema()
        elif action not in ("current", "runs"):
            raise UsageError(f"unknown action {action!r}; use current, upgrade or runs.")
        if action == "runs":
            runs: list[dict[str, Any]] = [
                {"run_id": run.run_id, "started_at": run.started_at, "facts": run.fact_count, "seal": run.seal.hex()}
                for run in opened.seen_by(viewer).runs()
            ]
            if as_json:
                print_json({"store": store, "runs": runs})
            for run in () if as_json else runs:
                console.print(
                    f"{run['run_id']}  {run['started_at']}  {run['facts']:>9,} facts  seal {run['seal'][:16]}…",
                    soft_wrap=True,
                )
            return
        version, store_version = opened.schema_version(), opened.seen_by(viewer).store_version
    if as_json:
        print_json({"store": store, "schema": version, "store_version": store_version})
    else:
        console.print(f"{store}  schema {version}  at run {store_version}")
