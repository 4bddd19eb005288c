//! Attempts as a Parquet file, for data frames and databases. The columns are those of the CSV, with their types.
//!
//! Of the format only what a flat table needs is written: row groups, one page a column, plain values, Zstandard. The crate
//! that writes all of it would cost a minute of building.

mod thrift;

use std::io;

use umpire_stats::AttemptRow;

use crate::columns::{ATTEMPT_COLUMNS, Cell, Column, ColumnType, Record, records};
use crate::{ReportError, Summary};
use thrift::Struct;

const MAGIC: &[u8; 4] = b"PAR1";
/// Attempts a row group: a reader holds one group at a time.
const GROUP: usize = 50_000;
const LEVEL: i32 = 3;

/// Numbers that the format gives to things.
mod code {
    pub const BOOLEAN: i32 = 0;
    pub const INT64: i32 = 2;
    pub const DOUBLE: i32 = 5;
    pub const BYTE_ARRAY: i32 = 6;
    pub const OPTIONAL: i32 = 1;
    pub const UTF8: i32 = 0;
    pub const PLAIN: i32 = 0;
    pub const RLE: i32 = 3;
    pub const ZSTD: i32 = 6;
    pub const DATA_PAGE: i32 = 0;
}

pub fn parquet(summary: &Summary, rows: &[AttemptRow]) -> Result<Vec<u8>, ReportError> {
    let records: Vec<Record<'_>> = records(summary.manifest.run.as_str(), rows, &summary.attempts).collect();
    let mut file = MAGIC.to_vec();
    let mut groups = Vec::new();
    for group in records.chunks(GROUP) {
        groups.push(write_group(group, &mut file).map_err(ReportError::Parquet)?);
    }
    let footer = footer(records.len(), &groups);
    file.extend_from_slice(&footer);
    file.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    file.extend_from_slice(MAGIC);
    Ok(file)
}

fn physical(of: ColumnType) -> i32 {
    match of {
        ColumnType::Text => code::BYTE_ARRAY,
        ColumnType::Whole => code::INT64,
        ColumnType::Real => code::DOUBLE,
        ColumnType::Truth => code::BOOLEAN,
    }
}

/// Writes the pages of these attempts and returns what the footer says of them.
fn write_group(records: &[Record<'_>], file: &mut Vec<u8>) -> io::Result<Struct> {
    let mut chunks = Vec::new();
    let mut bytes = 0;
    for column in &ATTEMPT_COLUMNS {
        let content = page(column, records);
        let packed = zstd::bulk::compress(&content, LEVEL)?;
        let header = page_header(small(records.len())?, small(content.len())?, small(packed.len())?);
        let offset = file.len();
        file.extend_from_slice(&header);
        file.extend_from_slice(&packed);
        let (uncompressed, compressed) = (header.len() + content.len(), header.len() + packed.len());
        bytes += uncompressed;
        let about = Struct::default()
            .i32(1, physical(column.of))
            .i32_list(2, &[code::PLAIN, code::RLE])
            .text_list(3, &[column.name])
            .i32(4, code::ZSTD)
            .size(5, records.len())
            .size(6, uncompressed)
            .size(7, compressed)
            .size(9, offset);
        chunks.push(Struct::default().size(2, offset).nested(3, about));
    }
    Ok(Struct::default().struct_list(1, &chunks).size(2, bytes).size(3, records.len()))
}

/// The format has 31 bits for the size of a page.
fn small(size: usize) -> io::Result<u32> {
    let too_large =
        || io::Error::new(io::ErrorKind::FileTooLarge, format!("a column of {size} bytes is too large"));
    u32::try_from(size).ok().filter(|size| *size <= i32::MAX.cast_unsigned()).ok_or_else(too_large)
}

fn page_header(values: u32, uncompressed: u32, compressed: u32) -> Vec<u8> {
    let data =
        Struct::default().small_size(1, values).i32(2, code::PLAIN).i32(3, code::RLE).i32(4, code::RLE);
    Struct::default()
        .i32(1, code::DATA_PAGE)
        .small_size(2, uncompressed)
        .small_size(3, compressed)
        .nested(5, data)
        .into_bytes()
}

/// Which values are there, then those that are.
fn page(column: &Column, records: &[Record<'_>]) -> Vec<u8> {
    let cells: Vec<Cell<'_>> = records.iter().map(|record| column.value(record)).collect();
    let there = runs(cells.iter().map(|cell| *cell != Cell::Unknown));
    let mut page = (there.len() as u32).to_le_bytes().to_vec();
    page.extend(there);
    let mut truths = Vec::new();
    for cell in cells {
        match cell {
            Cell::Text(text) => {
                page.extend_from_slice(&(text.len() as u32).to_le_bytes());
                page.extend_from_slice(text.as_bytes());
            }
            Cell::Whole(number) => page.extend_from_slice(&number.to_le_bytes()),
            Cell::Real(number) => page.extend_from_slice(&number.to_le_bytes()),
            Cell::Truth(truth) => truths.push(truth),
            Cell::Unknown => {}
        }
    }
    // Eight a byte, the first in the lowest bit.
    page.extend(truths.chunks(8).map(|eight| {
        eight.iter().enumerate().fold(0, |byte, (place, truth)| byte | u8::from(*truth) << place)
    }));
    page
}

/// Levels of one bit as run lengths: twice the length as a variable-length number, then the level.
fn runs(levels: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut run: Option<(bool, u64)> = None;
    let mut put = |(level, length): (bool, u64)| {
        thrift::variable(length << 1, &mut out);
        out.push(u8::from(level));
    };
    for level in levels {
        match &mut run {
            Some((same, length)) if *same == level => *length += 1,
            _ => {
                if let Some(ended) = run.replace((level, 1)) {
                    put(ended);
                }
            }
        }
    }
    if let Some(last) = run {
        put(last);
    }
    out
}

fn footer(rows: usize, groups: &[Struct]) -> Vec<u8> {
    let root = Struct::default().text(4, "attempts").small_size(5, ATTEMPT_COLUMNS.len() as u32);
    let columns = ATTEMPT_COLUMNS.iter().map(|column| {
        let field = Struct::default().i32(1, physical(column.of)).i32(3, code::OPTIONAL).text(4, column.name);
        match column.of {
            // Old readers know the first, new ones the second, which is a choice of an empty structure.
            ColumnType::Text => {
                field.i32(6, code::UTF8).nested(10, Struct::default().nested(1, Struct::default()))
            }
            _ => field,
        }
    });
    let schema: Vec<Struct> = std::iter::once(root).chain(columns).collect();
    Struct::default()
        .i32(1, 1)
        .struct_list(2, &schema)
        .size(3, rows)
        .struct_list(4, groups)
        .text(6, concat!("umpire version ", env!("CARGO_PKG_VERSION")))
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_runs() {
        // Parquet's hybrid encoding: header `length << 1` with the lowest bit 0 for a run, then the repeated value.
        assert_eq!(runs([true; 3].into_iter()), [6, 1]);
        assert_eq!(runs([true, false, false].into_iter()), [2, 1, 4, 0]);
        assert_eq!(runs([true; 100].into_iter()), [0xc8, 1, 1]);
        assert!(runs(std::iter::empty()).is_empty());
    }
}
