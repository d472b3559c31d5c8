"""Where the command `tamis` begins. An interruption while it loads ends it at once, as it does later."""

import signal
import threading


def main() -> None:
    """Run the command line and exit."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until there is somebody to say that it was interrupted
    from tamis.cli import main as run  # only now: it loads what takes time

    run()
