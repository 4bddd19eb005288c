/// A symmetric matrix of small size, row by row; only the lower triangle is read.
#[derive(Clone, Debug)]
pub(crate) struct Symmetric {
    pub size: usize,
    values: Vec<f64>,
}

impl Symmetric {
    pub fn zero(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size] }
    }

    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds at (row, column) and, as the matrix is symmetric, in effect at (column, row).
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row.max(column) * self.size + row.min(column)] += value;
    }

    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row.max(column) * self.size + row.min(column)]
    }

    /// The factor L of L·Lᵀ; `None` if the matrix is not positive definite.
    pub fn factor(mut self) -> Option<Cholesky> {
        let n = self.size;
        for row in 0..n {
            let (above, this) = self.values.split_at_mut(row * n);
            for column in 0..row {
                let other = &above[column * n..(column + 1) * n];
                let sum = this[column] - dot(&this[..column], &other[..column]);
                this[column] = sum / other[column];
            }
            let rest = this[row] - dot(&this[..row], &this[..row]);
            if rest.is_nan() || rest <= 0.0 {
                return None;
            }
            this[row] = rest.sqrt();
        }
        Some(Cholesky { size: n, lower: self.values })
    }
}

/// A triangular factor, to solve with.
pub(crate) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Replaces a right-hand side by the solution.
    pub fn solve(&self, side: &mut [f64]) {
        let n = self.size;
        for row in 0..n {
            let line = &self.lower[row * n..(row + 1) * n];
            side[row] = (side[row] - dot(&line[..row], &side[..row])) / line[row];
        }
        for row in (0..n).rev() {
            let line = &self.lower[row * n..(row + 1) * n];
            side[row] /= line[row];
            let value = side[row];
            for (left, factor) in side[..row].iter_mut().zip(line) {
                *left -= factor * value;
            }
        }
    }

    /// The inverse, column by column, which for a symmetric matrix is also row by row.
    pub fn inverse(&self) -> Vec<Vec<f64>> {
        (0..self.size)
            .map(|at| {
                let mut unit = vec![0.0; self.size];
                unit[at] = 1.0;
                self.solve(&mut unit);
                unit
            })
            .collect()
    }

    /// Gives the memory back, to be filled again.
    pub fn into_matrix(self) -> Symmetric {
        Symmetric { size: self.size, values: self.lower }
    }
}

/// In four sums at a time, which the compiler may not do by itself since it changes the last digits.
pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (left, right) = (one.chunks_exact(4), other.chunks_exact(4));
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in left.zip(right) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_factored() {
        // [4 2 0; 2 5 3; 0 3 6] · [1 2 3] = [8 21 24].
        let mut matrix = Symmetric::zero(3);
        for (row, column, value) in [(0, 0, 4.0), (1, 0, 2.0), (1, 1, 5.0), (2, 1, 3.0), (2, 2, 6.0)] {
            matrix.add(row, column, value);
        }
        let factor = matrix.clone().factor().expect("positive definite");
        let mut side = [8.0, 21.0, 24.0];
        factor.solve(&mut side);
        assert!(side.iter().zip([1.0, 2.0, 3.0]).all(|(got, wanted)| (got - wanted).abs() < 1e-14));
        let inverse = factor.inverse();
        let unit: f64 = (0..3).map(|k| matrix.get(1, k) * inverse[k][1]).sum();
        assert!((unit - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_singular_matrix_has_no_factor() {
        let mut matrix = Symmetric::zero(2);
        for (row, column) in [(0, 0), (1, 0), (1, 1)] {
            matrix.add(row, column, 1.0);
        }
        assert!(matrix.factor().is_none());
    }
}
