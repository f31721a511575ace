#!/bin/sh
# Tests whether this machine can make a Python environment and install into it. Debian's Python cannot make environments by itself,
# and a machine may reach no package index.
set -e
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --retries 1 --timeout 10 --dest "$folder" idna==3.20
