# SPDX-License-Identifier: Apache-2.0
# Packages of the system: what is missing is found without the network, and only that is installed.
# shellcheck shell=bash

kBuildPackages=(
    cmake ninja-build g++ pkg-config
    qt6-base-dev qt6-svg-dev libgl-dev
    libtbb-dev libspdlog-dev nlohmann-json3-dev libpcre2-dev libutf8proc-dev libcli11-dev libxxhash-dev
    libssl-dev libedit-dev
    # the window at run time: Wayland, the look of GTK desktops, SVG icons and the fonts of look
    qt6-wayland qt6-gtk-platformtheme libqt6svg6 fonts-inter fonts-noto-color-emoji
)
kTestPackages=(
    doctest-dev clang-14 lld-14 libclang-rt-14-dev llvm-14 clang-format-14 clang-tidy-14
    g++-aarch64-linux-gnu qemu-user
    xvfb xauth dbus-daemon git
    python3 python3-jinja2 python3-numpy
)

# missing_packages NAME...: those that are not installed, a line each
missing_packages() {
    local installed
    # shellcheck disable=SC2016 # the format is dpkg-query's
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
        awk '$2 == "installed" { print $1 }')
    comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

# sudo asks for its password on the terminal, whatever standard input is.
has_terminal() { { : </dev/tty; } 2>/dev/null; }

as_root() {
    if ((EUID == 0)); then
        "$@"
    elif has_terminal; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

can_be_root() {
    ((EUID == 0)) && return 0
    have sudo || return 1
    has_terminal || sudo -n true 2>/dev/null
}

# apt's status lines ("pmstatus:name:12.5:text") turned into one line of progress
apt_progress() {
    awk -F: -v tty="$([[ -t 2 ]] && echo 1 || echo 0)" '
        $1 != "dlstatus" && $1 != "pmstatus" { next }
        { what = ($1 == "dlstatus") ? "fetching" : "installing"; percent = int($3) }
        tty { printf "\r   %-10s %3d %%", what, percent > "/dev/stderr"; shown = 1; next }
        what != last_what || percent >= last + 20 {
            printf "   %-10s %3d %%\n", what, percent > "/dev/stderr"
            last_what = what; last = percent
        }
        END { if (shown) print "" > "/dev/stderr" }'
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -y -o DPkg::Lock::Timeout=300 \
        -o Acquire::Retries=2 "$@" </dev/null
}

supported_distribution() {
    (
        # shellcheck source=/dev/null
        . /etc/os-release 2>/dev/null
        [[ ${ID:-} == debian && ${VERSION_ID:-} == 12 ]]
    )
}

distribution_name() {
    (
        # shellcheck source=/dev/null
        . /etc/os-release 2>/dev/null
        printf '%s' "${PRETTY_NAME:-this system}"
    )
}

explain_unknown_distribution() {
    explain "$(distribution_name) has no apt-get and dpkg, so packages cannot be installed from here" \
        "Install what Debian 12 calls:" "  $*" \
        "(Qt 6.4 or later with Svg, CMake 3.25, a compiler for C++20), then: SOTTO_PACKAGES=skip ./dev run"
}

explain_no_rights() {
    explain "packages are missing, and there are no rights to install them (not root, no usable sudo)" \
        "Ask someone who administers this machine to run:" "  apt-get install $*" \
        "then run the same command again."
}

explain_apt_failure() {
    local log=$1
    shift
    tail -n 12 "$log" | sed 's/^/   | /' >&2
    local advice="Look at $log, mend what apt-get complains of, and run the same command again."
    if grep -qiE 'could not resolve|failed to fetch|connection|unable to fetch' "$log"; then
        advice="No answer from the package mirrors: check the network, then run the same command again."
    elif grep -qi 'no space left' "$log"; then
        advice="The disk is full: make room (apt-get clean helps) and run the same command again."
    elif grep -qi 'unable to locate package' "$log"; then
        advice="No source of packages lists that name. On Debian 12: is the 'main' component of bookworm in /etc/apt/sources.list? On another system: install the equivalents by hand, then: SOTTO_PACKAGES=skip ./dev run"
    elif grep -qi 'dpkg --configure -a' "$log"; then
        advice="An earlier installation was interrupted: run 'dpkg --configure -a' as root, then this again."
    elif grep -qiE 'could not get lock|unable to acquire' "$log"; then
        advice="Another program is installing packages: wait until it is done, then run this again."
    fi
    explain "apt-get could not install: $*" "$advice"
}

# install_packages PURPOSE NAME...
install_packages() {
    local purpose=$1
    shift
    [[ ${SOTTO_PACKAGES:-} == skip ]] && return 0
    have dpkg-query && have apt-get || { explain_unknown_distribution "$@"; return 1; }
    local missing log
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    supported_distribution || warn "this is $(distribution_name), not Debian 12; trying its packages"
    can_be_root || { explain_no_rights "${missing[@]}"; return 1; }
    need_space 1500 /usr "packages" || return 1
    log=$(mktemp) || { explain "no temporary file can be made" "Is /tmp full or read-only?"; return 1; }
    say "installing ${#missing[@]} packages for $purpose: ${missing[*]}"
    if apt_install "$log" "${missing[@]}"; then
        rm -f "$log"
        return 0
    fi
    explain_apt_failure "$log" "${missing[@]}"
    return 1
}

# apt_install LOG NAME...
apt_install() {
    local log=$1
    shift
    # A mirror that does not answer shows in the installation itself, where it matters.
    apt_get -q update >>"$log" 2>&1 || true
    apt_get -o APT::Status-Fd=1 install --no-install-recommends "$@" 2>&1 | tee -a "$log" | apt_progress
    ((PIPESTATUS[0] == 0)) && [[ -z $(missing_packages "$@") ]]
}

build_packages() { install_packages "building and running" "${kBuildPackages[@]}"; }
test_packages() { install_packages "testing" "${kBuildPackages[@]}" "${kTestPackages[@]}"; }
