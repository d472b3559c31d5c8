"""`python -m tamis`: the command line."""

from tamis.start import main

if __name__ == "__main__":
    main()
