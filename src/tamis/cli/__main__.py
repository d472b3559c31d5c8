"""`python -m tamis.cli` is `tamis`."""

from tamis.start import main

main()
