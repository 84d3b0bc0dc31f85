"""What holds for all tests."""

from __future__ import annotations

import signal

# A shell starts what runs in its background deaf to Ctrl-C, and every program started from there inherits it. Tests
# that interrupt a program need one that listens.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
