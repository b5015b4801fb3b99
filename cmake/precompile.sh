#!/bin/sh
# precompile.sh COMMAND...: runs it; beside a precompiled header that it has written then
# stands its checksum, which ccache hashes for each file that uses the header instead of
# the 200 MB of it.
"$@" || exit
while [ $# -gt 1 ]; do
  case "$1 $2" in
  "-o "*.pch) sha256sum "$2" >"$2.sum" ;;
  esac
  shift
done
