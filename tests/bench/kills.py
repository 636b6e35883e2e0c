"""What kill -9 at random points of a scan costs: kills.py [--photos N] [--kills N] [--seed N] [--json OUT].

The real program is started, killed in the middle of its work (every other time without its children), and started again;
between kills a memory is corrected now and then. The bar is that no correction is lost and that each kill makes at most one
finished piece of work be done again; the floor is a scan without kills, which opens each file three times.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from core.capture.decode import processes_here
from tests.journeys.killing import WatchedProgram, scan_with_kills


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = WatchedProgram(Path(folder, "home"), Path(folder, "album"), Path(folder, "watcher"))
        found = scan_with_kills(program, options.photos, options.kills, options.seed)
        kept = sum(program.run("get", each, "--json").json["title"] == title for each, title in found.titles.items())
        healthy = program.run("doctor").code == 0
    done = found.finished.json["stages"]["thumbnails"]["done"] if found.finished else 0
    result = {
        "photos": options.photos, "kills": found.kills, "done": done, "thumbnails_again": found.thumbnails_again,
        "files_again": found.files_again, "corrections": len(found.titles), "corrections_kept": kept, "healthy": healthy,
    }  # fmt: skip
    print(f"{options.photos} photos, killed {found.kills} times with -9: {done} have their thumbnails in the end")
    print(
        f"corrections kept: {kept} of {len(found.titles)}; the doctor finds the library {'well' if healthy else 'ill'}"
    )
    print(f"thumbnails finished twice: {found.thumbnails_again} (bar: {found.kills}, one a kill)")
    print(
        f"files opened once more than a scan without kills opens them: {found.files_again},"
        f" with {processes_here()} decoded at a time"
    )
    if options.json:
        options.json.write_text(json.dumps(result))
    return 0 if kept == len(found.titles) and healthy and found.thumbnails_again <= found.kills else 1


if __name__ == "__main__":
    sys.exit(main())
