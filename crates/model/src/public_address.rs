//! Which addresses are on the public internet: what the arena refuses and what the network gate refuses is one list.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is on the public internet. Whoever resolves a name must ask this of every address it has, at the
/// moment of connecting: a name may be public today and point inwards tomorrow.
pub fn is_public_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let reserved = match (a, b, c) {
        // This network, loopback, carrier-grade NAT, protocol assignments, old relays, benchmarks, reserved and broadcast.
        (0 | 127 | 240..=255, _, _)
        | (100, 64..=127, _)
        | (192, 0, 0)
        | (192, 88, 99)
        | (198, 18 | 19, _) => true,
        _ => false,
    };
    !(reserved
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let inner = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    match parts {
        // Forms that carry an IPv4 address: mapped, compatible, translated, NAT64, 6to4. `::` and `::1` are among the
        // compatible ones, as 0.0.0.0 and 0.0.0.1.
        [0, 0, 0, 0, 0, 0xffff | 0, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => is_public_v4(inner(high, low)),
        // Local NAT64, Teredo (which hides an address), documentation.
        [0x64, 0xff9b, 1, ..] | [0x2001, 0 | 0xdb8, ..] | [0x3fff, 0..=0x0fff, ..] => false,
        // All that is not global unicast: unique local, link-local, multicast.
        [first, ..] => (0x2000..=0x3fff).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_lead_inwards_are_not_public_in_any_form() {
        for (address, is_public) in [
            ("127.0.0.1", false),
            ("0.0.0.0", false),
            ("10.0.0.1", false),
            ("100.64.0.1", false),
            ("169.254.169.254", false),
            ("192.168.0.1", false),
            ("255.255.255.255", false),
            ("::1", false),
            ("::ffff:10.0.0.1", false),
            ("64:ff9b::a9fe:a9fe", false),
            ("2002:7f00:1::", false),
            ("fd00::1", false),
            ("fe80::1", false),
            ("1.1.1.1", true),
            ("2606:4700::1111", true),
            ("::ffff:8.8.8.8", true),
        ] {
            assert_eq!(is_public_address(address.parse().expect("an address")), is_public, "{address}");
        }
    }
}
