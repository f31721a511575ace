#!/bin/sh
# Ensures a Chromium for the tests in a browser: installs Debian's if it may, otherwise says what is missing.
set -eu
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -q >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium >&2 && exit 0
fi
echo 'There is no Chromium, and it could not be installed. Install it (on Debian: sudo apt-get install chromium) and run this again.' >&2
exit 1
