#!/bin/sh
# Ensures the Python library `requests`, for the samples of the documentation: installs Debian's if it may.
set -eu
has() { python3 -c 'import requests' 2>/dev/null; }
if has; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -q >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends python3-requests >&2
  if has; then exit 0; fi
fi
echo 'There is no requests for Python, and it could not be installed: the samples in Python are not run.' >&2
exit 1
