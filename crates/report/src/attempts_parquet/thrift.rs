//! The part of Thrift's compact protocol that Parquet's headers use. Fields are given in rising order.

/// A structure under construction.
#[derive(Clone, Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

/// Types as the protocol numbers them.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Struct {
    /// A field's number as the distance from the one before, and its type, in one byte. Distances stay below 16 here.
    fn field(mut self, number: u8, of: u8) -> Self {
        self.bytes.push((number - self.last) << 4 | of);
        self.last = number;
        self
    }

    pub fn i32(self, number: u8, value: i32) -> Self {
        let mut with = self.field(number, I32);
        variable(zigzag(i64::from(value)), &mut with.bytes);
        with
    }

    /// A 64-bit number that counts something.
    pub fn size(self, number: u8, value: usize) -> Self {
        let mut with = self.field(number, I64);
        variable((value as u64) << 1, &mut with.bytes);
        with
    }

    /// The same where the format has 32 bits for it.
    pub fn small_size(self, number: u8, value: u32) -> Self {
        let mut with = self.field(number, I32);
        variable(u64::from(value) << 1, &mut with.bytes);
        with
    }

    pub fn text(self, number: u8, value: &str) -> Self {
        let mut with = self.field(number, BINARY);
        binary(value, &mut with.bytes);
        with
    }

    pub fn nested(self, number: u8, value: Self) -> Self {
        let mut with = self.field(number, STRUCT);
        with.bytes.extend(value.into_bytes());
        with
    }

    pub fn i32_list(self, number: u8, values: &[i32]) -> Self {
        let mut with = self.field(number, LIST);
        list_head(values.len(), I32, &mut with.bytes);
        for value in values {
            variable(zigzag(i64::from(*value)), &mut with.bytes);
        }
        with
    }

    pub fn text_list(self, number: u8, values: &[&str]) -> Self {
        let mut with = self.field(number, LIST);
        list_head(values.len(), BINARY, &mut with.bytes);
        for value in values {
            binary(value, &mut with.bytes);
        }
        with
    }

    pub fn struct_list(self, number: u8, values: &[Self]) -> Self {
        let mut with = self.field(number, LIST);
        list_head(values.len(), STRUCT, &mut with.bytes);
        for value in values {
            with.bytes.extend_from_slice(&value.bytes);
            with.bytes.push(0);
        }
        with
    }

    /// Ends it.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn list_head(length: usize, of: u8, out: &mut Vec<u8>) {
    if length < 15 {
        out.push((length as u8) << 4 | of);
    } else {
        out.push(0xf0 | of);
        variable(length as u64, out);
    }
}

fn binary(text: &str, out: &mut Vec<u8>) {
    variable(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

/// Small numbers of either sign become small numbers without one.
fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}

/// Seven bits a byte, lowest first; the highest bit says that more follow.
pub(super) fn variable(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_protocol_says() {
        // Thrift's own description of the compact protocol: zigzag of 0, -1, 1, -2 is 0, 1, 2, 3; 50399 as a
        // variable-length number is DF 89 03.
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
        assert_eq!(zigzag(i64::MIN), u64::MAX);
        let mut out = Vec::new();
        variable(50_399, &mut out);
        assert_eq!(out, [0xdf, 0x89, 0x03]);
    }

    #[test]
    fn fields_carry_their_distance() {
        let sized = Struct::default().size(1, 3).small_size(2, 3).into_bytes();
        assert_eq!(sized, [0x16, 6, 0x15, 6, 0], "a count is a number of no sign, doubled");
        let bytes = Struct::default().i32(1, 1).text(4, "ab").i32_list(5, &[0, 3]).into_bytes();
        assert_eq!(bytes, [0x15, 2, 0x38, 2, b'a', b'b', 0x19, 0x25, 0, 6, 0]);
    }
}
