#!/bin/sh
# Whether this machine can make a Python environment and install into it: Debian has Python without what makes environments, and a
# machine may reach no package index.
set -e
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --retries 1 --timeout 10 --dest "$folder" idna==3.20
