# SPDX-License-Identifier: Apache-2.0
"""What drivers write to the kernel's log, by the format strings of their sources: file, function, text, and what it means.

Placeholders: {pci} {pci3} (without function) {drive} {nic} {iface} {cpu} {n} {hex} {pid} {name}. Each line is about a
component of its own, so that a report tells which line it understood."""

XID = "NVRM: Xid (PCI:{pci3}{mig}): {xid}, {process}"
# NVIDIA open-gpu-kernel-modules, src/nvidia/src/kernel/gpu/rc/kernel_rc.c: krcReportXid_IMPL; the texts are of who calls it.
_RC = "src/nvidia: kernel_rc.c krcReportXid_IMPL, "
_MLX5 = "drivers/net/ethernet/mellanox/mlx5/core/"
_NVME = "drivers/nvme/host/"

FAULTS = [  # source, text, code, the label that names the component
    (_RC + "kern_bus.c", XID.replace("{xid}", "79") + "GPU has fallen off the bus.", "gpu_lost", "pci"),
    (_RC + "kernel_gsp.c _kgspLogXid119", XID.replace("{xid}", "119") +
     "Timeout after {n}s of waiting for RPC response from GPU{n} GSP! Expected function {n} (GSP_RM_CONTROL) ({hex} {hex}).",
     "gpu_firmware_hung", "pci"),
    (_RC + "kernel_gsp.c", XID.replace("{xid}", "120") + "GSP task exception: {hex} @ pc:{hex}, task: {n}",
     "gpu_firmware_hung", "pci"),
    (_RC + "mem_mgr ecc", XID.replace("{xid}", "48") +
     "An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at physical address {hex} "
     "partition {n}, subpartition {n}.", "gpu_ecc_uncorrectable", "pci"),
    (_RC + "row remapper", XID.replace("{xid}", "63") +
     "Row Remapper: New row ({hex}) marked for remapping, reset gpu to activate.", "gpu_row_remap_pending", "pci"),
    (_RC + "row remapper", XID.replace("{xid}", "64") +
     "Row Remapper Error: ({hex}) - All reserved rows for bank are remapped", "gpu_row_remap_failed", "pci"),
    (_RC + "kern_nvlink", XID.replace("{xid}", "74") + "NVLink: fatal error detected on link {n}({hex}, {hex}, {hex}, "
     "{hex}, {hex}, {hex}, {hex})", "nvlink_errors", "pci"),
    (_RC + "containment", XID.replace("{xid}", "94") + "Contained: CE User Channel ({hex}). RST: No, D-RST: No",
     "gpu_ecc_contained", "pci"),
    (_RC + "containment", XID.replace("{xid}", "95") + "Uncontained: LTC TAG ({hex},{hex}). RST: Yes, D-RST: No",
     "gpu_ecc_uncorrectable", "pci"),
    (_RC + "kern_nvlink Blackwell", XID.replace("{xid}", "145") +
     "RLW_REMAP Nonfatal XC0 i0 Link {n} ({hex} {hex} {hex} {hex} {hex} {hex})", "nvlink_nonfatal_errors", "pci"),
    (_RC + "kern_nvlink Blackwell", XID.replace("{xid}", "149") +
     "NETIR_LINK_EVT Fatal XC0 i0 Link {n} (0x021425c6 {hex} {hex} {hex} {hex} {hex})", "nvlink_errors", "pci"),
    (_RC + "kern_nvlink Blackwell", XID.replace("{xid}", "149") +
     "NETIR_LINK_EVT Fatal XC0 i0 Link {n} (0x0264a5c6 {hex} {hex} {hex} {hex} {hex})", "nvlink_nonfatal_errors", "pci"),
    (_RC + "gpu_recovery", "NVRM: Xid (PCI:{pci3}): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset "
     "Required)", "gpu_recovery_needed", "pci"),
    ("kernel-open/nvidia/nv.c nv_open_device", "NVRM: GPU {pci}: rm_init_adapter failed, device minor number {n}",
     "gpu_init_failed", "pci"),
    (_MLX5 + "health.c poll_health", "mlx5_core {pci}: poll_health:{n}:(pid {n}): device's health compromised - reached "
     "miss count", "nic_firmware_hung", "pci"),
    (_MLX5 + "health.c print_health_info", "mlx5_core {pci}: print_health_info:{n}:(pid {n}): Health issue observed, "
     "firmware internal error, severity(3) ERROR:", "nic_firmware_hung", "pci"),
    (_MLX5 + "cmd.c wait_func", "mlx5_core {pci}: wait_func:{n}:(pid {pid}): CREATE_MKEY({hex}) timeout. Will cause a leak "
     "of a command resource", "nic_firmware_hung", "pci"),
    (_MLX5 + "events.c mlx5_port_module_event", "mlx5_core {pci}: Port module event[error]: module {n}, Cable error, Bus "
     "stuck (I2C or data shorted)", "nic_cable_error", "pci"),
    (_MLX5 + "events.c temp_warn", "mlx5_core {pci}: temp_warn:{n}:(pid {n}): High temperature on sensors with bit set {n} "
     "{n}", "nic_hot", "pci"),
    ("drivers/base/dd.c call_driver_probe", "mlx5_core {pci}: probe with driver mlx5_core failed with error -{n}",
     "nic_not_started", "pci"),
    ("drivers/base/dd.c really_probe (before 6.10)", "ice: probe of {pci} failed with error -{n}", "nic_not_started", "pci"),
    (_NVME + "pci.c nvme_timeout", "nvme {drive}: I/O tag {n} ({n}) opcode 0x2 (Read) QID {n} timeout, aborting req_op:READ({n}) "
     "size:{n}", "nvme_timeout", "drive"),
    (_NVME + "pci.c nvme_timeout (before 6.0)", "nvme {drive}: I/O {n} QID {n} timeout, reset controller", "nvme_timeout",
     "drive"),
    (_NVME + "pci.c nvme_timeout", "nvme {drive}: I/O tag {n} ({n}) opcode 0x1 (Write) QID {n} timeout, completion polled",
     "nvme_interrupt_lost", "drive"),
    (_NVME + "core.c nvme_wait_ready", "nvme {drive}: Device not ready; aborting reset, CSTS=0x1", "nvme_not_live", "drive"),
    (_NVME + "pci.c nvme_reset_work", "nvme {drive}: Disabling device after reset failure: -{n}", "nvme_not_live", "drive"),
    (_NVME + "core.c nvme_init_ns_head", "nvme {drive}: globally duplicate IDs for nsid {n}", "nvme_duplicate_ids", "drive"),
    ("block/blk-core.c blk_print_req_error", "critical medium error, dev {drive}n1, sector {n} op 0x0:(READ) flags 0x0 "
     "phys_seg {n} prio class {n}", "block_io_error", "device"),
    ("drivers/pci/pcie/aer.c aer_print_error", "nvme {pci}: AER: PCIe Bus Error: severity=Uncorrectable (Fatal), "
     "type=Transaction Layer, (Requester ID)", "pcie_fatal_errors", "pci"),
    ("drivers/pci/pcie/aer.c aer_print_error", "pcieport {pci}: PCIe Bus Error: severity=Corrected, type=Physical Layer, "
     "(Receiver ID)", "pcie_corrected_errors", "pci"),
    ("drivers/pci/pcie/aer.c aer_print_port_info", "pcieport 0000:00:03.1: AER: Uncorrectable (Non-Fatal) error message "
     "received from {pci}", "pcie_nonfatal_errors", "pci"),
    ("drivers/pci/pcie/dpc.c dpc_process_error", "pcieport {pci}: DPC: containment event, status:{hex} source:{hex}",
     "pcie_fatal_errors", "pci"),
    ("drivers/pci/hotplug/pciehp_ctrl.c", "pcieport {pci}: pciehp: Slot({n}): Link Down", "pcie_link_down", "pci"),
    ("drivers/pci/pci.c pci_power_up", "nvidia {pci}: Unable to change power state from D3cold to D0, device inaccessible",
     "pcie_device_lost", "pci"),
    ("drivers/iommu/amd/iommu.c amd_iommu_report_page_fault", "nvme {pci}: AMD-Vi: Event logged [IO_PAGE_FAULT "
     "domain={hex} address={hex} flags={hex}]", "iommu_fault", "pci"),
    ("kernel/watchdog.c watchdog_timer_fn", "watchdog: BUG: soft lockup - CPU#{cpu} stuck for {n}s! [{name}:{pid}]",
     "kernel_lockup", "cpu"),
    ("kernel/watchdog.c watchdog_hardlockup_check", "watchdog: CPU3: Watchdog detected hard LOCKUP on cpu {cpu}",
     "kernel_lockup", "cpu"),
    ("arch/x86/kernel/cpu/mce/core.c __print_mce", "mce: [Hardware Error]: CPU {cpu}: Machine Check Exception: 5 Bank {n}: "
     "be00000000800400", "cpu_machine_check", "cpu"),
    ("arch/x86/kernel/cpu/mce/core.c __print_mce", "mce: [Hardware Error]: CPU {cpu}: Machine Check: 0 Bank {n}: "
     "8c00004000010091", "cpu_machine_check_corrected", "cpu"),
    ("drivers/thermal/intel/therm_throt.c", "CPU{cpu}: Package temperature above threshold, cpu clock throttled (total "
     "events = {n})", "cpu_throttled", "cpu"),
    ("fs/nfs/ net/sunrpc/clnt.c rpc_check_timeout", "nfs: server {host} not responding, still trying",
     "remote_filesystem_hung", "server"),
    ("fs/ext4/super.c __ext4_error", "EXT4-fs error (device {drive}p1): ext4_lookup:{n}: inode #{n}: comm {name}: iget: "
     "checksum invalid", "filesystem_failed", "device"),
    ("fs/xfs/xfs_fsops.c xfs_do_force_shutdown", "XFS ({drive}n1): Corruption of in-memory data ({hex}) detected at "
     "xfs_defer_finish_noroll ({hex}).  Shutting down filesystem.", "filesystem_failed", "device"),
    ("drivers/net/ethernet/amazon/ena/ena_netdev.c check_for_missing_keep_alive", "ena {pci} {iface}: Keep alive watchdog "
     "timeout.", "nic_reset", "pci"),
    ("drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c", "amdgpu {pci}: amdgpu: uncorrectable hardware error"
     "(ERREVENT_ATHUB_INTERRUPT) detected!", "gpu_hardware_error", "pci"),
    ("src/common/nvswitch/kernel/error_nvswitch.c nvswitch_report_error", "nvidia-nvswitch{n}: SXid (PCI:{pci}): 20034, "
     "Fatal, Link {n} LTSSM Fault Up", "nvswitch_fatal", "pci"),
    ("src/common/nvswitch/kernel/error_nvswitch.c nvswitch_report_error", "nvidia-nvswitch{n}: SXid (PCI:{pci}): 12028, "
     "Non-fatal, Link {n} egress non-posted PRIV error (First)", "nvswitch_nonfatal", "pci"),
]

BY_APPLICATIONS = [
    (_RC + "kernel_graphics", XID.replace("{xid}", "13") + "Graphics SM Warp Exception on (GPC {n}, TPC {n}, SM {n}): "
     "Illegal Instruction Parameter"),
    (_RC + "kern_gmmu", XID.replace("{xid}", "31") + "Ch {n}, intr {n}. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_{n} faulted "
     "@ {hex}. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ"),
    (_RC + "kernel_channel", XID.replace("{xid}", "43") + "Ch {n}"),
    (_RC + "kernel_channel", XID.replace("{xid}", "45") + "Ch {n}"),
    (_RC + "kernel_ce", XID.replace("{xid}", "39") + "CCMDs {n} {n}"),
    (_RC + "nvdec", XID.replace("{xid}", "68") + "NVDEC0 exception"),
]

HARMLESS = [
    (_NVME + "pci.c nvme_probe", "nvme {drive}: pci function {pci}"),
    (_NVME + "pci.c nvme_setup_io_queues", "nvme {drive}: {n}/0/0 default/read/poll queues"),
    (_NVME + "core.c nvme_configure_timestamp", "nvme {drive}: Shutdown timeout set to {n} seconds"),
    (_MLX5 + "main.c mlx5_function_setup", "mlx5_core {pci}: firmware version: {n}.{n}.{n}"),
    (_MLX5 + "cmd.c cmd_status_print", "mlx5_core {pci}: mlx5_cmd_out_err:{n}:(pid {pid}): ACCESS_REG({hex}) op_mod({hex}) "
     "failed, status bad parameter({hex}), syndrome ({hex}), err(-22)"),
    (_MLX5 + "port.c", "mlx5_core {pci}: Port module event: module {n}, Cable plugged"),
    ("drivers/pci/probe.c pci_setup_device", "pci {pci}: [10de:{n}] type 00 class 0x030200 PCIe Endpoint"),
    ("drivers/pci/setup-res.c", "pci {pci}: BAR {n} [io  size 0x1000]: failed to assign"),
    ("drivers/pci/pcie/aer.c aer_probe", "pcieport {pci}: AER: enabled with IRQ {n}"),
    ("drivers/pci/pcie/dpc.c dpc_probe", "pcieport {pci}: DPC: error containment capabilities: Int Msg #{n}, RPExt+ "
     "PoisonedTLP+ SwTrigger+ RP PIO Log {n}, DL_ActiveErr+"),
    ("drivers/edac/edac_mc.c", "EDAC MC{n}: Giving out device to module skx_edac controller Skylake Socket#{n} IMC#{n}: DEV "
     "{pci} (INTERRUPT)"),
    ("drivers/acpi/apei/ghes.c", "GHES: APEI firmware first mode is enabled by APEI bit and WHEA _OSC."),
    ("drivers/acpi/apei/erst.c", "ERST: Error Record Serialization Table (ERST) support is initialized."),
    ("drivers/ata/libata-core.c", "ata{n}: SATA link down (SStatus 0 SControl 300)"),
    ("mm/page_alloc.c", "Memory: {n}K/{n}K available ({n}K kernel code, {n}K rwdata)"),
    ("net/ipv6/addrconf.c", "IPv6: ADDRCONF(NETDEV_CHANGE): {iface}: link becomes ready"),
    ("arch/x86/mm/fault.c show_signal_msg", "{name}[{pid}]: segfault at {hex} ip {hex} sp {hex} error 4 in "
     "libc.so.6[{hex}+{hex}]"),
    ("kernel-open/nvidia/nv.c", "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  {n}.{n}  Release Build"),
    ("fs/ext4/super.c", "EXT4-fs ({drive}p1): mounted filesystem with ordered data mode. Quota mode: none."),
    ("drivers/clocksource", "clocksource: tsc: mask: 0xffffffffffffffff max_cycles: {hex}, max_idle_ns: {n} ns"),
    ("security/apparmor", "audit: type=1400 audit({n}.{n}:{n}): apparmor=\"STATUS\" operation=\"profile_load\" error=-13"),
    ("drivers/usb", "usb 1-{n}: device descriptor read/64, error -71"),
    ("drivers/net/bonding", "bond0: (slave {iface}): link status definitely up, {n} Mbps full duplex"),
    ("systemd", "systemd[1]: Failed to start Load Kernel Modules."),
]
