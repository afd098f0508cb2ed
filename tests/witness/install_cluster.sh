#!/usr/bin/env bash
# Installs Open MPI and Slurm from Debian's or Ubuntu's archive, as root, and starts a Slurm of two nodes on this machine.
#
#     install_cluster.sh            nothing is started twice
#     install_cluster.sh stop
#
# The nodes n1 and n2 are two daemons. Their processors and memory are made up, so that any machine will do.
set -euo pipefail
state=/tmp/ddl-lint-slurm

if [ "${1:-}" = stop ]; then
    for pid in "$state"/*.pid; do
        [ ! -e "$pid" ] || kill "$(cat "$pid")" || true
    done
    exit 0
fi

if ! command -v slurmctld > /dev/null || ! command -v mpirun > /dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        openmpi-bin slurmctld slurmd slurm-client munge
fi
if sinfo --noheader 2> /dev/null | grep -q idle; then
    exit 0
fi

# The two daemons trust each other by a common key.
mkdir -p "$state"/{state,n1,n2} /run/munge /var/log/munge
chown munge:munge /run/munge /var/log/munge
chmod 755 /run/munge
pgrep -x munged > /dev/null || runuser -u munge -- munged --force

host=$(hostname -s)
cat > /etc/slurm/slurm.conf << END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
AuthType=auth/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$state/state
SlurmdSpoolDir=$state/%n
SlurmctldPidFile=$state/controller.pid
SlurmdPidFile=$state/%n.pid
SlurmctldLogFile=$state/controller.log
SlurmdLogFile=$state/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17001 CPUs=8 RealMemory=2000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17002 CPUs=8 RealMemory=2000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
slurmctld -c
slurmd -N n1
slurmd -N n2
for _ in $(seq 60); do
    if [ "$(sinfo --noheader --Node --format=%T | grep -c idle)" = 2 ]; then
        exit 0
    fi
    sleep 1
done
echo "Slurm did not come up:" >&2
cat "$state"/*.log >&2
exit 1
