# shellcheck shell=bash
# Shared by the scripts of this folder.

# Runs a command quietly; shows the end of what it said when it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 || {
        status=$?
        printf '%s failed (exit status %d):\n' "$1" "$status"
        tail -n 50 "$log"
    }
    rm -f "$log"
    return "$status"
}

apt_install() {
    export DEBIAN_FRONTEND=noninteractive
    quietly apt-get update -qq &&
        quietly apt-get install -y -qq --no-install-recommends "$@"
}
