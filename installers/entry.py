"""The frozen program's first module."""

import multiprocessing
import sys

from desktop.__main__ import main

if __name__ == "__main__":
    # Child processes of the frozen program are this program again: without this they would open another window.
    multiprocessing.freeze_support()
    sys.exit(main())
