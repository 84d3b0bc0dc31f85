"""Importing this module puts every command on the application."""

import factspine.cli.ask
import factspine.cli.check
import factspine.cli.cite
import factspine.cli.documents
import factspine.cli.eval
import factspine.cli.facts
import factspine.cli.ledger
import factspine.cli.lineage
import factspine.cli.search
import factspine.cli.serve
import factspine.cli.sql
import factspine.cli.stores  # noqa: F401  imported for what they register
