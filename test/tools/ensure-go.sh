#!/bin/sh
# Ensures a Go that can fetch the toolchain of test/tools/clients/go/go.mod. Installs Debian's if it may; if that is too old to fetch a
# toolchain itself, downloads the toolchain as a Go module.
set -eu
TOOLCHAIN=1.26.8
fetches() { command -v go >/dev/null 2>&1 && command -v gofmt >/dev/null 2>&1 && [ -n "$(go env GOTOOLCHAIN 2>/dev/null)" ]; }
if fetches; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -q >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends golang-go >&2
  if fetches; then exit 0; fi
  module="golang.org/toolchain@v0.0.1-go$TOOLCHAIN.linux-$(go env GOARCH)"
  cd /
  go mod download "$module" >&2
  folder="$(go env GOMODCACHE)/$module"
  # The files of a module are not executable.
  chmod -R u+wx "$folder/bin" "$folder/pkg/tool"
  ln -sf "$folder/bin/go" "$folder/bin/gofmt" /usr/local/bin/
  hash -r
  if fetches; then exit 0; fi
fi
echo 'There is no Go of version 1.21 or newer with gofmt, and it could not be installed: nothing in Go is tested.' >&2
exit 1
