# SPDX-License-Identifier: Apache-2.0
"""NVMe drives of virtual machines, by the options of QEMU that make them, and how a script finds them there."""
import dataclasses

# drive N: the device of the drive with that serial number; of one with several paths to it the first.
DRIVE = """
drive() {
  local controller path
  for controller in /sys/class/nvme/*; do
    [[ $(<"$controller/serial") =~ ^drive$1\\ *$ ]] || continue
    for path in "$controller"/nvme*n*; do
      path=$(basename "$path")
      if [[ $path =~ ^(nvme[0-9]+)c[0-9]+(n[0-9]+)$ ]]; then path=${BASH_REMATCH[1]}${BASH_REMATCH[2]}; fi
      echo "/dev/$path"
      return
    done
  done
}
"""


@dataclasses.dataclass(frozen=True)
class Drive:
    """Its serial number is driveN."""
    controller: str = ""  # options of it, "smart_critical_warning=4"
    throttling: str = ""  # of what is behind it, "bps-total=1000,iops-total=10"
    paths: int = 0  # controllers of a subsystem that is made for several; else there is one

    def arguments(self, number, file):
        """Of QEMU, for a drive that is this file."""
        name = f"drive{number}"
        throttled = "".join(f",throttling.{option}" for option in self.throttling.split(",") if option)
        options = "".join(f",{option}" for option in self.controller.split(",") if option)
        made = ["-drive", f"file={file},if=none,id={name},format=raw{throttled}"]
        if not self.paths:
            return [*made, "-device", f"nvme,drive={name},serial={name}{options}"]
        made += ["-device", f"nvme-subsys,id={name}subsystem,nqn={name}"]
        for path in range(self.paths):
            made += ["-device", f"nvme,id={name}path{path},subsys={name}subsystem,serial={name}{options}"]
        return [*made, "-device", f"nvme-ns,drive={name},bus={name}path0,nsid=1,shared=on"]
