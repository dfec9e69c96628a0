#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh FOLDER: in a stage of the Containerfile, installs what build.sh left in the folder, and makes the user.
set -euo pipefail
built=$1
export DEBIAN_FRONTEND=noninteractive

# The names of libraries differ between releases: alternatives are apt's to choose from.
field() { dpkg-deb --field "$built"/muster_*.deb "$1"; }
apt-get update
needs="$(field Depends), $(field Recommends), $(field Suggests), ibverbs-providers, openssh-client, openssh-server"
apt-get satisfy --yes --no-install-recommends "$needs"
dpkg --install "$built"/muster_*.deb
cp -r "$built/lib/." /usr/lib/muster
mkdir -p /usr/share/doc/muster
cp "$built/../source/LICENSE" /usr/share/doc/muster
for wheel in "$built"/wheels/*; do
  [[ -e $wheel ]] || break
  license=/usr/share/doc/muster/$(basename "$wheel" .dist-info)
  mkdir "$license"
  find "$wheel" -iname '*license*' -type f -exec cp {} "$license" \;
done

# Ubuntu's image has a user 1000 of its own. A password of * is none; one of ! is a locked account, which sshd refuses.
if other=$(getent passwd 1000 | cut -d: -f1) && [[ -n $other ]]; then
  userdel "$other"
  rm -rf "/home/${other:?}"
fi
useradd --uid 1000 --user-group --create-home --shell /bin/bash muster
usermod --password '*' muster
mkdir -p /run/sshd

# Keys of a host are made where a host starts, and what the installation leaves behind is of no use, nor is udev's database of
# hardware: only mdadm's package wants udev.
rm -rf /usr/lib/udev/hwdb.bin /etc/udev/hwdb.bin /etc/ssh/ssh_host_* /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/cache/ldconfig/* \
  /var/log/apt /var/log/dpkg.log /var/log/alternatives.log /etc/*- /var/lib/dpkg/*-old
