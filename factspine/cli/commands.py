"""Importing this module puts every command on the application."""

from factspine.cli import documents, facts, stores

__all__ = ["documents", "facts", "stores"]
