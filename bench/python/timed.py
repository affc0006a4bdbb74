"""Runs a command, and prints what it printed, its processor time and its peak memory: TIMED.PY COMMAND..."""

import json
import os
import subprocess
import sys
import time

start = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
assert child.stdout is not None
out = child.stdout.read().decode()
_, status, usage = os.wait4(child.pid, 0)
print(
    json.dumps(
        {
            "code": os.waitstatus_to_exitcode(status),
            "out": out,
            "processor_ms": 1000 * (usage.ru_utime + usage.ru_stime),
            "wall_ms": 1000 * (time.perf_counter() - start),
            "peak_mib": usage.ru_maxrss / 1024,
        }
    )
)
