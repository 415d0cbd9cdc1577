# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""read_output.py JSON CSV PARTNERS MAX_BYTES BUFFERS: fail unless both files hold a positive time for every pattern and
size, the same in both, and say under which conditions they were taken."""

import csv
import json
import sys

PATTERNS = """waitall persistent neighbor_alltoallv mpi3shm_lockall mpi3shm_lock mpi3shm_fence rewritten_waitall
rewritten_persistent limit_push limit_eager""".split()
EAGER_MOST = 16384  # bytes, of limit_eager


def main():
    json_path, csv_path, partners, max_bytes, buffers = sys.argv[1:]
    with open(json_path, encoding="utf-8") as stream:
        report = json.load(stream)
    with open(csv_path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))

    sizes = [4 ** n for n in range(1, 16) if 4 ** n <= int(max_bytes)]
    expected = {(name, size) for name in PATTERNS for size in sizes if name != "limit_eager" or size <= EAGER_MOST}
    in_json = {(name, int(size)): us for name, times in report["us"].items() for size, us in times.items()}
    in_csv = {(row["pattern"], int(row["bytes"])): float(row["us"]) for row in rows}
    assert set(in_json) == expected, set(in_json) ^ expected
    assert in_json == in_csv
    assert all(us > 0 for us in in_json.values()), in_json

    for key in ("processor", "mpi", "transport"):
        assert report[key] and all(row[key] == report[key] for row in rows), key
    for key, value in (("ranks", 2), ("nodes", 1), ("partners", int(partners)), ("buffers", buffers)):
        assert report[key] == value and all(row[key] == str(value) for row in rows), key


if __name__ == "__main__":
    main()
