//! How a model's answer is read: strictly, or as the released systems read it.
