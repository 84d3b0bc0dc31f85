"""The command line. One file a noun; nothing heavy is imported before a command needs it."""

from factspine.cli.app import main

__all__ = ["main"]
