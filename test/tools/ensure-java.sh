#!/bin/sh
# Ensures a JDK and Maven, for the generated client in Java and for openapi-generator: installs Debian's if it may.
set -eu
has() { javac -version >/dev/null 2>&1 && mvn -version >/dev/null 2>&1; }
if has; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -q >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends default-jdk-headless maven >&2
  if has; then exit 0; fi
fi
echo 'There is no JDK with Maven, and they could not be installed: clients of openapi-generator are not tested.' >&2
exit 1
