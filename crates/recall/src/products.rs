//! Inner products of many rows with many others: all the arithmetic that is worth being quick here.
//!
//! A product is summed in one order, whichever other rows are multiplied in the same call: a lane of the vector unit takes
//! every eighth place (or whatever the machine has), and the lanes are added up at the end. So a score does not depend on
//! the company its query came in, and neither does an embedding.

#![expect(
    clippy::inline_always,
    clippy::needless_range_loop,
    reason = "what is not inlined is compiled for the oldest processors; arrays of registers are indexed, or become memory"
)]

use pulp::{Arch, Simd, WithSimd};

/// Floats of left rows that are kept close to the processor while all the right rows pass by.
const CLOSE: usize = 4_608;

/// Rows of equal length inside of a table.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    values: &'a [f32],
    stride: usize,
    width: usize,
}

impl<'a> Rows<'a> {
    pub(crate) fn whole(values: &'a [f32], width: usize) -> Self {
        Self { values, stride: width, width }
    }

    /// The columns from `first`, `width` of them.
    pub(crate) fn columns(self, first: usize, width: usize) -> Self {
        Self { values: self.values.get(first..).unwrap_or(&[]), stride: self.stride, width }
    }

    pub(crate) fn len(self) -> usize {
        let beyond = self.values.len().saturating_sub(self.width);
        if self.values.len() < self.width || self.stride == 0 { 0 } else { beyond / self.stride + 1 }
    }

    pub(crate) fn row(self, index: usize) -> &'a [f32] {
        &self.values[index * self.stride..][..self.width]
    }
}

/// Gives every product of a left row with a right row to `put`, with their places. The products of one right row with
/// the left ones come in their order. The left rows are read once; the right ones once for each block of left ones.
pub(crate) fn products(left: Rows<'_>, right: Rows<'_>, put: impl FnMut(usize, usize, f32)) {
    Arch::new().dispatch(Products { left, right, put });
}

/// The product of every row with one other, in the order of the rows.
pub(crate) fn products_with_one(rows: Rows<'_>, one: &[f32], out: &mut [f32]) {
    Arch::new().dispatch(WithOne { rows, one, out });
}

pub(crate) fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut out = [0.0];
    products_with_one(Rows::whole(one, one.len()), other, &mut out);
    out[0]
}

struct Products<'a, P> {
    left: Rows<'a>,
    right: Rows<'a>,
    put: P,
}

impl<P: FnMut(usize, usize, f32)> WithSimd for Products<'_, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { left, right, mut put } = self;
        let (lefts, rights) = (left.len(), right.len());
        let block = (CLOSE / left.width.max(1)).max(3);
        for first in (0..lefts).step_by(block) {
            let close = first..lefts.min(first + block);
            let mut at = 0;
            while at + 4 <= rights {
                tiles::<S, 3, 4>(simd, left, close.clone(), right, at, &mut put);
                at += 4;
            }
            if at + 2 <= rights {
                tiles::<S, 3, 2>(simd, left, close.clone(), right, at, &mut put);
                at += 2;
            }
            if at < rights {
                tiles::<S, 3, 1>(simd, left, close, right, at, &mut put);
            }
        }
    }
}

struct WithOne<'a> {
    rows: Rows<'a>,
    one: &'a [f32],
    out: &'a mut [f32],
}

impl WithSimd for WithOne<'_> {
    type Output = ();

    /// Nothing is used twice here, so memory is the limit. Prefetchers follow several streams as easily as one: reading
    /// in four places at once has taken little more than half the time of reading from front to back.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, one, out } = self;
        let count = rows.len().min(out.len());
        let quarter = count / 4;
        for at in 0..quarter {
            let places = [at, at + quarter, at + 2 * quarter, at + 3 * quarter];
            let four = [rows.row(places[0]), rows.row(places[1]), rows.row(places[2]), rows.row(places[3])];
            let sums = tile(simd, four, [one]);
            for (place, [sum]) in places.into_iter().zip(sums) {
                out[place] = sum;
            }
        }
        for (place, out) in out.iter_mut().enumerate().take(count).skip(4 * quarter) {
            let [[sum]] = tile(simd, [rows.row(place)], [one]);
            *out = sum;
        }
    }
}

/// A range of left rows, `L` at a time, with `R` right ones.
#[inline(always)]
fn tiles<S: Simd, const L: usize, const R: usize>(
    simd: S,
    left: Rows<'_>,
    range: std::ops::Range<usize>,
    right: Rows<'_>,
    first: usize,
    put: &mut impl FnMut(usize, usize, f32),
) {
    let mut rights: [&[f32]; R] = [&[]; R];
    for r in 0..R {
        rights[r] = right.row(first + r);
    }
    let mut at = range.start;
    while at + L <= range.end {
        let mut lefts: [&[f32]; L] = [&[]; L];
        for l in 0..L {
            lefts[l] = left.row(at + l);
        }
        let sums = tile(simd, lefts, rights);
        for (l, row) in sums.iter().enumerate() {
            for (r, sum) in row.iter().enumerate() {
                put(at + l, first + r, *sum);
            }
        }
        at += L;
    }
    for at in at..range.end {
        let [sums] = tile(simd, [left.row(at)], rights);
        for (r, sum) in sums.iter().enumerate() {
            put(at, first + r, *sum);
        }
    }
}

#[inline(always)]
fn tile<S: Simd, const L: usize, const R: usize>(
    simd: S,
    left: [&[f32]; L],
    right: [&[f32]; R],
) -> [[f32; R]; L] {
    let whole = left[0].len() / S::F32_LANES;
    let mut lefts: [&[S::f32s]; L] = [&[]; L];
    let mut rights: [&[S::f32s]; R] = [&[]; R];
    for l in 0..L {
        lefts[l] = &S::as_simd_f32s(left[l]).0[..whole];
    }
    for r in 0..R {
        rights[r] = &S::as_simd_f32s(right[r]).0[..whole];
    }
    let mut sums = [[simd.splat_f32s(0.0); R]; L];
    for i in 0..whole {
        for r in 0..R {
            let value = rights[r][i];
            for l in 0..L {
                sums[l][r] = simd.mul_add_e_f32s(lefts[l][i], value, sums[l][r]);
            }
        }
    }
    let done = whole * S::F32_LANES;
    if done < left[0].len() {
        for l in 0..L {
            let value = simd.partial_load_f32s(&left[l][done..]);
            for r in 0..R {
                sums[l][r] =
                    simd.mul_add_e_f32s(value, simd.partial_load_f32s(&right[r][done..]), sums[l][r]);
            }
        }
    }
    let mut added = [[0.0; R]; L];
    for l in 0..L {
        for r in 0..R {
            added[l][r] = simd.reduce_sum_f32s(sums[l][r]);
        }
    }
    added
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slow(one: &[f32], other: &[f32]) -> f64 {
        one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    }

    proptest! {
        #[test]
        fn every_product_is_given_once_and_does_not_depend_on_its_company(
            (width, left, right) in (1_usize..70).prop_flat_map(|width| {
                let table = |most: usize| {
                    (0..most).prop_flat_map(move |rows| prop::collection::vec(-2.0_f32..2.0, rows * width))
                };
                (Just(width), table(23), table(11))
            })
        ) {
            let (lefts, rights) = (left.len() / width, right.len() / width);
            let mut found = vec![None; lefts * rights];
            let mut last = vec![None; rights];
            products(Rows::whole(&left, width), Rows::whole(&right, width), |l, r, product| {
                assert!(last[r] < Some(l), "{l} came after {:?}", last[r]);
                last[r] = Some(l);
                assert_eq!(found[l * rights + r].replace(product), None);
            });
            for (r, row) in right.chunks_exact(width).enumerate() {
                let mut alone = vec![0.0; lefts];
                products_with_one(Rows::whole(&left, width), row, &mut alone);
                for (l, product) in alone.iter().enumerate() {
                    prop_assert_eq!(found[l * rights + r], Some(*product));
                    let exact = slow(&left[l * width..][..width], row);
                    prop_assert!((f64::from(*product) - exact).abs() < 1e-4, "{} for {}", product, exact);
                }
            }
        }
    }

    #[test]
    fn columns_of_a_table_are_rows_of_their_own() {
        let table: Vec<f32> = (0_u8..12).map(f32::from).collect();
        let middle = Rows::whole(&table, 4).columns(1, 2);
        assert_eq!(
            (0..middle.len()).map(|row| middle.row(row)).collect::<Vec<_>>(),
            [[1., 2.], [5., 6.], [9., 10.]]
        );
        assert_eq!(Rows::whole(&[], 4).len(), 0);
    }
}
