#!/bin/sh
# Sees to it that there is a Go that fetches the toolchain which test/tools/clients/go/go.mod names, for what is tested in Go: installs Debian's where
# it may, and where that one is too old to fetch a toolchain by itself, has it fetch the toolchain as the module that it is.
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
  # A module has no executable files.
  chmod -R u+wx "$folder/bin" "$folder/pkg/tool"
  ln -sf "$folder/bin/go" "$folder/bin/gofmt" /usr/local/bin/
  hash -r
  if fetches; then exit 0; fi
fi
echo 'There is no Go of version 1.21 or newer with gofmt, and it could not be installed: nothing in Go is tested.' >&2
exit 1
