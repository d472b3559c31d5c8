"""`python -m tamis.cli` is `tamis`."""

from tamis.cli import main

main()
