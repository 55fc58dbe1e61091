//! Signs of a virtual machine or of an emulator.

use super::cpuinfo::CpuInfo;
use super::files::Root;

/// Whether something is the case, as far as it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing could be read that would tell.
    #[default]
    Unknown,
    /// What could be read says no.
    No,
    /// It is, for this reason.
    Yes(String),
}

impl Verdict {
    /// The reason, if it is the case.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Verdict::Yes(reason) => Some(reason),
            _ => None,
        }
    }

    /// Whether it is the case; `None` where nobody knows.
    pub fn known(&self) -> Option<bool> {
        match self {
            Verdict::Unknown => None,
            Verdict::No => Some(false),
            Verdict::Yes(_) => Some(true),
        }
    }

    fn of(reason: Option<String>, anything_read: bool) -> Verdict {
        match reason {
            Some(reason) => Verdict::Yes(reason),
            None if anything_read => Verdict::No,
            None => Verdict::Unknown,
        }
    }
}

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
    "OpenTelekomCloud",
    "HUAWEICLOUD",
    // Azure marks its guests by this asset tag.
    "7783-7084-3265-9085-8269-3286-77",
];
const DMI_FIELDS: &[&str] = &[
    "product_name",
    "sys_vendor",
    "board_vendor",
    "bios_vendor",
    "chassis_asset_tag",
];

/// Whether this is a virtual machine.
pub fn virtualised(root: &Root, cpu: &CpuInfo) -> Verdict {
    let told = cpu.flags_listed
        || DMI_FIELDS
            .iter()
            .any(|name| root.exists(&format!("sys/class/dmi/id/{name}")))
        || root.exists("proc/device-tree/compatible")
        || root.exists("proc/device-tree/model");
    Verdict::of(virtual_sign(root, cpu), told)
}

fn virtual_sign(root: &Root, cpu: &CpuInfo) -> Option<String> {
    if cpu.hypervisor_flag {
        return Some("the processor reports a hypervisor".to_owned());
    }
    if let Some(kind) = root.text("sys/hypervisor/type") {
        return Some(format!("/sys/hypervisor/type is {kind}"));
    }
    if root.exists("sys/firmware/qemu_fw_cfg") {
        return Some("there is the firmware device of QEMU".to_owned());
    }
    device_tree_sign(root)
        .or_else(|| virtio_sign(root))
        .or_else(|| dmi_sign(root))
}

fn device_tree_sign(root: &Root) -> Option<String> {
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
    // Firmware of real boards is called by SMC; HVC calls a hypervisor.
    let method = root.text("proc/device-tree/psci/method")?;
    (method == "hvc").then(|| "CPUs are started through a hypervisor (PSCI by HVC)".to_owned())
}

/// Paravirtual devices. Boards have the bus too, but only for messages to a companion processor.
fn virtio_sign(root: &Root) -> Option<String> {
    const RPMSG: &str = "0x0007";
    let kind = |name: &String| root.text(&format!("sys/bus/virtio/devices/{name}/device"));
    let devices = root.entries("sys/bus/virtio/devices");
    let device = devices
        .iter()
        .find(|name| kind(name).as_deref() != Some(RPMSG))?;
    Some(format!("it has paravirtual devices ({device})"))
}

fn dmi_sign(root: &Root) -> Option<String> {
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

/// Whether the processor is an emulated one. `architecture` is that of this program.
pub fn emulated(root: &Root, cpu: &CpuInfo, architecture: &str) -> Verdict {
    let told = cpu.model.is_some() || root.exists("proc/sys/kernel/arch");
    Verdict::of(emulator_sign(root, cpu, architecture), told)
}

fn emulator_sign(root: &Root, cpu: &CpuInfo, architecture: &str) -> Option<String> {
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
    if cpu.implementer == Some(0) {
        return Some(
            "the processor's implementer is 0x00, which is reserved for software".to_owned(),
        );
    }
    let model = cpu.model.as_deref().unwrap_or_default();
    let named = || Some(format!("the processor calls itself {model}"));
    if model.contains("QEMU TCG") {
        return named();
    }
    // QEMU's default model has this name with and without KVM; only KVM offers its guests a clock. With
    // no sign of it figures of an emulator might pass for those of a processor: taken for emulated.
    let clocks = root
        .text("sys/devices/system/clocksource/clocksource0/available_clocksource")
        .unwrap_or_default();
    let under_kvm = clocks.split_whitespace().any(|clock| clock == "kvm-clock");
    if model.contains("QEMU Virtual CPU") && !under_kvm {
        return named();
    }
    None
}
