#!/bin/sh
# Ensures a PHP with Guzzle and SQLite, for the programs, samples and generated client in PHP: installs Debian's if it may.
set -eu
has() { php -r 'exit(extension_loaded("curl") && extension_loaded("mbstring") && extension_loaded("pdo_sqlite") && stream_resolve_include_path("GuzzleHttp/autoload.php") ? 0 : 1);' 2>/dev/null; }
if has; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -q >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends php-cli php-curl php-mbstring php-sqlite3 php-guzzlehttp-guzzle >&2
  if has; then exit 0; fi
fi
echo 'There is no PHP with curl, mbstring, SQLite and Guzzle, and it could not be installed: nothing in PHP is tested.' >&2
exit 1
