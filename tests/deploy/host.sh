#!/bin/sh
# Makes a host of its own of this machine, in a mount namespace that ends with this script: Lonja
# in /opt/lonja, the system user of the units, and all else as the units have it (nothing can be
# written but the service's own folders, and /proc shows a process itself alone).
#
#   unshare --mount --propagation private host.sh FOLDER PYTHON LIBRARIES WHEEL PIP DEPLOY
#
# It says "ready", and ends when its input does.
set -eu
folder=$1 python=$2 libraries=$3 wheel=$4 pip=$5 deploy=$6

mount -t tmpfs lonja /opt
mkdir /opt/python /opt/libraries /opt/units
mount --bind "$python" /opt/python
mount --bind "$libraries" /opt/libraries
"$python/bin/python3" -m venv --without-pip /opt/lonja
/opt/lonja/bin/python "$pip" --quiet --disable-pip-version-check \
  install --no-index --no-deps "$wheel"
cp "$deploy/valkey/start-server" /opt/lonja/bin
echo /opt/libraries > "$(echo /opt/lonja/lib/python3*/site-packages)/libraries.pth"

ln -s "$(/opt/lonja/bin/lonja store path)" /opt/lonja/bin/valkey-server

cp -r "$deploy/systemd/." /opt/units
cp "$deploy/valkey/server.conf" /opt/valkey.conf
mkdir "$folder/etc"
cp -a /etc/. "$folder/etc"
mount --bind "$folder/etc" /etc
systemd-sysusers "$deploy/systemd/lonja.sysusers"
mkdir /etc/lonja
cp "$deploy/.env.example" /etc/lonja/lonja.env

for place in /root /run /tmp /var; do
  mount -t tmpfs -o mode=755 lonja "$place"
done
chmod 1777 /tmp
# The interpreter of the tests may be in root's home, where nobody else may look.
mkdir -p "$python"
mount --bind /opt/python "$python"
own="/run/lonja-web /var/lib/lonja /var/lib/lonja-backups /var/lib/lonja-log"
mkdir -p $own
chown lonja:lonja $own
chmod 700 $own
mount -t proc -o subset=pid,hidepid=invisible proc /proc
mount -o remount,bind,ro /

echo ready
cat > /dev/null
