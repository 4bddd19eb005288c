//! What all value types have in common: alternatives, and equality between them.

use std::any::Any;
use std::fmt::Debug;

use super::super::error::EvaluatorError;
use super::{Context, Typed, Unreadable};
use crate::python::Value;

/// A typed value as the comparator sees it.
pub trait Leaf: Any + Debug + Send + Sync {
    /// Whether `actual` satisfies this expected value.
    fn accepts(&self, actual: &Typed) -> Result<bool, EvaluatorError>;

    /// The value as result files show it.
    fn report(&self) -> Value;
}

/// One value of one type.
pub trait ValueType: Sized + Debug + Send + Sync + 'static {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable>;

    /// Whether two single values are equal.
    fn same(&self, other: &Self) -> bool;

    /// Most types compare every expected alternative with every actual one.
    fn any_same(expected: &[Self], actual: &[Self]) -> bool {
        expected.iter().any(|expected| actual.iter().any(|actual| expected.same(actual)))
    }

    /// Whether a value that could not be read as this type is equal all the same.
    fn any_same_raw(_expected: &[Self], _actual: &Value) -> bool {
        false
    }

    /// How an array is read that is not a list of alternatives, for types that have an array form.
    fn read_array(_items: &[Value]) -> Option<Self> {
        None
    }

    fn report(&self) -> Value;
}

/// A value given in one or several acceptable forms; never empty.
#[derive(Debug)]
pub struct OneOf<T>(Vec<T>);

impl<T: ValueType> OneOf<T> {
    /// An array is a list of alternatives, and one alternative is no choice.
    pub fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let (Value::List(items) | Value::Tuple(items)) = value else {
            return Ok(Self(vec![T::read(value, context)?]));
        };
        if let Some(single) = T::read_array(items) {
            return Ok(Self(vec![single]));
        }
        if items.len() < 2 {
            return Err(Unreadable("an array of alternatives needs at least two"));
        }
        items.iter().map(|item| T::read(item, context)).collect::<Result<_, _>>().map(Self)
    }

    pub fn alternatives(&self) -> &[T] {
        &self.0
    }
}

impl<T: ValueType> Leaf for OneOf<T> {
    fn accepts(&self, actual: &Typed) -> Result<bool, EvaluatorError> {
        Ok(match actual {
            Typed::Leaf(leaf) => {
                let leaf: &dyn Any = leaf.as_ref();
                leaf.downcast_ref::<Self>().is_some_and(|actual| T::any_same(&self.0, &actual.0))
            }
            Typed::Raw(value) => T::any_same_raw(&self.0, value),
            Typed::Tuple(_) | Typed::List(_) | Typed::Object(_) => false,
        })
    }

    fn report(&self) -> Value {
        self.0.first().map_or(Value::None, ValueType::report)
    }
}

pub(super) fn read<T: ValueType>(value: &Value, context: &Context) -> Result<Typed, Unreadable> {
    Ok(Typed::Leaf(Box::new(OneOf::<T>::read(value, context)?)))
}
