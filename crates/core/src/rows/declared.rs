//! Macros that declare rows and named enums.

/// Declares structs that serialize as JSON objects, with the fields as keys, and implement
/// [`Described`](super::Described). The guide and Python's help show the doc comments, so these must not contain links.
///
/// Names end in `Json` unless the type is also used outside of JSON. A field may have one serde attribute:
/// `skip_serializing_if`, `flatten` or `skip`.
#[doc(hidden)]
#[macro_export]
macro_rules! declared_rows {
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
                $crate::rows::Shape::Object($crate::rows::JsonObject {
                    name: stringify!($name),
                    doc: concat!($($doc),*),
                    keys: [$($crate::rows::JsonKey::of_field::<$value>(
                        stringify!($key),
                        concat!($($meaning),*),
                        concat!($(stringify!($serde))?),
                    )),*].concat(),
                })
            }
        }
    )*};
}

pub use declared_rows as rows;

/// Declares an enum in which each value has a name and, after a comma, an optional hint.
#[doc(hidden)]
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        $vis:vis enum $enum:ident {
            $($(#[$of_value:meta])* $value:ident = $name:literal;)*
        }
    ) => {
        $(#[$attribute])*
        $vis enum $enum {
            $($(#[$of_value])* $value,)*
        }

        impl $enum {
            /// All values, in order of declaration.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];

            /// Returns the name in menus and messages. Files contain this name only if serde does not rename the value.
            pub fn name(self) -> &'static str {
                match self { $(Self::$value => $name,)* }
            }
        }
    };
    (
        $(#[$attribute:meta])*
        $vis:vis enum $enum:ident {
            $($(#[$of_value:meta])* $value:ident = $name:literal, $hint:literal;)*
        }
    ) => {
        $crate::named_enum! {
            $(#[$attribute])*
            $vis enum $enum {
                $($(#[$of_value])* $value = $name;)*
            }
        }

        impl $enum {
            /// Describes the value, without a final period.
            pub fn hint(self) -> &'static str {
                match self { $(Self::$value => $hint,)* }
            }
        }
    };
}
