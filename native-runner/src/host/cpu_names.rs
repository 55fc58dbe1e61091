//! Names of AArch64 cores: `/proc/cpuinfo` gives numbers only (MIDR_EL1).

/// Name of a core from its implementer and part numbers, for example `Qualcomm Oryon`; the bare
/// numbers for cores that are not listed.
pub fn core_name(implementer: u32, part: u32) -> String {
    let maker = match implementer {
        0x41 => "ARM",
        0x42 => "Broadcom",
        0x43 => "Cavium",
        0x46 => "Fujitsu",
        0x48 => "HiSilicon",
        0x4e => "NVIDIA",
        0x50 => "Ampere (APM)",
        0x51 => "Qualcomm",
        0x53 => "Samsung",
        0x61 => "Apple",
        0x6d => "Microsoft",
        0x70 => "Phytium",
        0xc0 => "Ampere",
        _ => return format!("implementer {implementer:#04x} part {part:#05x}"),
    };
    match core(implementer, part) {
        Some(core) => format!("{maker} {core}"),
        None => format!("{maker} part {part:#05x}"),
    }
}

fn core(implementer: u32, part: u32) -> Option<&'static str> {
    Some(match (implementer, part) {
        (0x41, 0xd03) => "Cortex-A53",
        (0x41, 0xd04) => "Cortex-A35",
        (0x41, 0xd05) => "Cortex-A55",
        (0x41, 0xd07) => "Cortex-A57",
        (0x41, 0xd08) => "Cortex-A72",
        (0x41, 0xd09) => "Cortex-A73",
        (0x41, 0xd0a) => "Cortex-A75",
        (0x41, 0xd0b) => "Cortex-A76",
        (0x41, 0xd0c) => "Neoverse-N1",
        (0x41, 0xd0d) => "Cortex-A77",
        (0x41, 0xd40) => "Neoverse-V1",
        (0x41, 0xd41) => "Cortex-A78",
        (0x41, 0xd42) => "Cortex-A78AE",
        (0x41, 0xd44) => "Cortex-X1",
        (0x41, 0xd46) => "Cortex-A510",
        (0x41, 0xd47) => "Cortex-A710",
        (0x41, 0xd48) => "Cortex-X2",
        (0x41, 0xd49) => "Neoverse-N2",
        (0x41, 0xd4a) => "Neoverse-E1",
        (0x41, 0xd4b) => "Cortex-A78C",
        (0x41, 0xd4d) => "Cortex-A715",
        (0x41, 0xd4e) => "Cortex-X3",
        (0x41, 0xd4f) => "Neoverse-V2",
        (0x41, 0xd80) => "Cortex-A520",
        (0x41, 0xd81) => "Cortex-A720",
        (0x41, 0xd82) => "Cortex-X4",
        (0x41, 0xd84) => "Neoverse-V3",
        (0x41, 0xd85) => "Cortex-X925",
        (0x41, 0xd87) => "Cortex-A725",
        (0x41, 0xd8e) => "Neoverse-N3",
        (0x46, 0x001) => "A64FX",
        (0x48, 0xd01) => "Kunpeng-920 (TaiShan v110)",
        (0x48, 0xd02) => "TaiShan v120",
        (0x4e, 0x004) => "Carmel",
        (0x51, 0x001) => "Oryon",
        (0x51, 0x800) => "Kryo 2xx Gold",
        (0x51, 0x802) => "Kryo 3xx Gold",
        (0x51, 0x804) => "Kryo 4xx Gold",
        (0x61, 0x022) => "M1 Icestorm",
        (0x61, 0x023) => "M1 Firestorm",
        (0x61, 0x032) => "M2 Blizzard",
        (0x61, 0x033) => "M2 Avalanche",
        (0x70, 0x660) => "FTC660",
        (0x70, 0x662) => "FTC662",
        (0x70, 0x663) => "FTC663",
        (0x70, 0x664) => "FTC664",
        (0x70, 0x862) => "FTC862",
        (0xc0, 0xac3) => "Ampere-1",
        (0xc0, 0xac4) => "Ampere-1a",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::core_name;

    #[test]
    fn known_and_unknown_cores() {
        assert_eq!(core_name(0x51, 0x001), "Qualcomm Oryon");
        assert_eq!(core_name(0x41, 0xd08), "ARM Cortex-A72");
        assert_eq!(core_name(0x41, 0xfff), "ARM part 0xfff");
        assert_eq!(core_name(0x77, 0x1), "implementer 0x77 part 0x001");
    }
}
