"""The contender of `bench python`: FILE KEY_HEX JOBS. Verifies a bundle, and prints {verdict, receipts}."""

import json
import sys

import svc

file, key, jobs = sys.argv[1:4]
report = svc.verify(file, trust=svc.pin_keys(key), kernel="wasm", jobs=int(jobs))
subject = report.subject
receipts = (subject.to_seq_no or 0) - (subject.from_seq_no or 0) + 1
print(json.dumps({"verdict": report.verdict, "receipts": receipts}))
