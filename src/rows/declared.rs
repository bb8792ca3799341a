//! The macro that declares a row.

/// Declares objects of JSON, whose fields are their keys: structs with `Serialize` and [`Described`](super::Described). Comments are the meanings that the guide and Python print, so they link nothing.
///
/// A name ends in `Json`, but for that of an object which is used beyond JSON too. A field may have one attribute of serde: `skip_serializing_if`, for a key that may be left out, `flatten` or `skip`.
macro_rules! rows {
    ($(
        $(#[doc = $doc:literal])*
        $(#[derive($($derived:ident),*)])?
        $vis:vis struct $name:ident $(<$life:lifetime>)? {
            $(
                $(#[doc = $meaning:literal])*
                $(#[serde($serde:meta)])?
                pub $key:ident: $value:ty,
            )*
        }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize $($(, $derived)*)?)]
        $vis struct $name $(<$life>)? {
            $(
                $(#[doc = $meaning])*
                $(#[serde($serde)])?
                pub $key: $value,
            )*
        }

        impl $(<$life>)? $crate::rows::Described for $name $(<$life>)? {
            fn shape() -> $crate::rows::Shape {
                $crate::rows::Shape::Object($crate::rows::Object {
                    name: stringify!($name),
                    doc: concat!($($doc),*),
                    keys: [$($crate::rows::Key::of_field::<$value>(
                        stringify!($key),
                        concat!($($meaning),*),
                        concat!($(stringify!($serde))?),
                    )),*].concat(),
                })
            }
        }
    )*};
}

pub(crate) use rows;
