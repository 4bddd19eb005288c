use thiserror::Error;

use crate::products::{Rows, product};

/// A table of finite numbers, one vector a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    dimensions: usize,
    values: Vec<f32>,
}

#[derive(Debug, PartialEq, Error)]
pub enum VectorError {
    #[error("a vector needs at least one dimension")]
    NoDimensions,
    #[error("{values} numbers are not whole vectors of {dimensions} dimensions")]
    Ragged { values: usize, dimensions: usize },
    #[error("vector {row} has {value} at place {place}; only finite numbers can be compared")]
    NotFinite { row: usize, place: usize, value: f32 },
    #[error("vector {row} has no direction: all of it is zero, or too large to be measured")]
    NoDirection { row: usize },
    #[error("vectors of {found} dimensions cannot be compared with those of {wanted}")]
    OtherDimensions { found: usize, wanted: usize },
}

impl Vectors {
    /// `values` holds one vector after the other.
    pub fn new(dimensions: usize, values: Vec<f32>) -> Result<Self, VectorError> {
        if dimensions == 0 {
            return Err(VectorError::NoDimensions);
        }
        if !values.len().is_multiple_of(dimensions) {
            return Err(VectorError::Ragged { values: values.len(), dimensions });
        }
        match values.iter().position(|value| !value.is_finite()) {
            Some(at) => {
                let (row, place) = (at / dimensions, at % dimensions);
                Err(VectorError::NotFinite { row, place, value: values[at] })
            }
            None => Ok(Self { dimensions, values }),
        }
    }

    /// No vectors, of which nobody can say how many dimensions they have.
    pub(crate) fn none() -> Self {
        Self { dimensions: 1, values: Vec::new() }
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub fn len(&self) -> usize {
        self.values.len() / self.dimensions
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.dimensions..][..self.dimensions]
    }

    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The same directions at unit length, so that inner products are cosines.
    pub fn into_unit(mut self) -> Result<Self, VectorError> {
        for (row, vector) in self.values.chunks_exact_mut(self.dimensions).enumerate() {
            if !scale_to_unit(vector) {
                return Err(VectorError::NoDirection { row });
            }
        }
        Ok(self)
    }

    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows::whole(&self.values, self.dimensions)
    }
}

/// Says whether that was possible.
pub(crate) fn scale_to_unit(vector: &mut [f32]) -> bool {
    let length = product(vector, vector).sqrt();
    if length == 0.0 || !length.is_finite() {
        return false;
    }
    for value in vector {
        *value /= length;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_vectors_of_finite_numbers_are_taken() {
        assert_eq!(Vectors::new(0, vec![]), Err(VectorError::NoDimensions));
        assert_eq!(Vectors::new(2, vec![1.0; 3]), Err(VectorError::Ragged { values: 3, dimensions: 2 }));
        let problem = Vectors::new(2, vec![0.0, 1.0, 2.0, f32::INFINITY]).expect_err("infinite");
        let said = "vector 1 has inf at place 1; only finite numbers can be compared";
        assert_eq!(problem.to_string(), said);
        assert!(matches!(Vectors::new(1, vec![f32::NAN]), Err(VectorError::NotFinite { row: 0, .. })));
    }

    #[test]
    fn unit_length_keeps_the_direction() {
        let unit = Vectors::new(2, vec![3.0, 4.0, 0.0, -2.0]).and_then(Vectors::into_unit).expect("vectors");
        assert_eq!(unit.values(), [0.6, 0.8, 0.0, -1.0]);
        for lost in [vec![1.0, 0.0, 0.0, 0.0], vec![1.0, 0.0, f32::MAX, f32::MAX]] {
            let found = Vectors::new(2, lost).and_then(Vectors::into_unit);
            assert_eq!(found, Err(VectorError::NoDirection { row: 1 }));
        }
    }
}
