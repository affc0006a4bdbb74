"""The commands of `python -m svc`: the options, words and exit codes of the npm `svc` for the same commands."""
