//! Signs of a virtual machine or of an emulator.

use super::cpuinfo::CpuInfo;
use super::files::Root;

/// Makers and product names that DMI tables of virtual machines carry.
const VIRTUAL_DMI: &[&str] = &[
    "QEMU",
    "KVM",
    "VMware",
    "VirtualBox",
    "innotek",
    "Xen",
    "Bochs",
    "Parallels",
    "BHYVE",
    "Virtual Machine",
    "Amazon EC2",
    "Google Compute Engine",
    "OpenStack",
    "Alibaba Cloud ECS",
    "Apple Virtualization",
];
const DMI_FIELDS: &[&str] = &["product_name", "sys_vendor", "board_vendor", "bios_vendor"];

/// Why this is taken for a virtual machine; `None` where nothing says so.
pub fn virtualised(root: &Root, cpu: &CpuInfo) -> Option<String> {
    if cpu.hypervisor_flag {
        return Some("the processor reports a hypervisor".to_owned());
    }
    if let Some(kind) = root.text("sys/hypervisor/type") {
        return Some(format!("/sys/hypervisor/type is {kind}"));
    }
    if root.exists("proc/device-tree/hypervisor") {
        return Some("the device tree has a hypervisor node".to_owned());
    }
    let compatible = root.text("proc/device-tree/compatible").unwrap_or_default();
    if compatible.contains("dummy-virt") || compatible.contains("qemu") {
        return Some(format!(
            "the device tree says {}",
            compatible.replace('\0', ", ")
        ));
    }
    // EC2's bare-metal machines carry the same maker; their product names end so.
    let product = root
        .text("sys/class/dmi/id/product_name")
        .unwrap_or_default();
    if product.ends_with(".metal") {
        return None;
    }
    DMI_FIELDS.iter().find_map(|name| {
        let value = root.text(&format!("sys/class/dmi/id/{name}"))?;
        let known = VIRTUAL_DMI.iter().any(|sign| value.contains(sign));
        known.then(|| format!("the machine calls itself {value}"))
    })
}

/// Why the processor is taken for an emulated one; `None` where nothing says so. `architecture` is
/// that of this program.
pub fn emulated(root: &Root, cpu: &CpuInfo, architecture: &str) -> Option<String> {
    // User-mode emulation passes the real kernel's architecture through.
    if let Some(kernel) = root.text("proc/sys/kernel/arch") {
        let same = kernel == architecture || (kernel == "arm64" && architecture == "aarch64");
        if !same {
            return Some(format!(
                "this is a program for {architecture} on a kernel for {kernel} (user-mode emulation)"
            ));
        }
    }
    if architecture == "aarch64" && cpu.x86_form {
        return Some("/proc/cpuinfo describes an x86 processor (user-mode emulation)".to_owned());
    }
    let model = cpu.model.as_deref().unwrap_or_default();
    let software = model.contains("QEMU Virtual CPU") || model.contains("QEMU TCG");
    software.then(|| format!("the processor calls itself {model}"))
}
