//! Strict I-JSON (RFC 7493) and its canonical form (RFC 8785), by protocol section 2.
//!
//! It knows no protocol object: closed members, integer ranges and the nesting of payloads are checked elsewhere.

mod escapes;
mod names;
mod numbers;
mod parser;
mod scan;
mod spans;

pub use names::compare as compare_names;
pub(crate) use names::sort as sort_names;
pub use parser::{canonicalize, check};
pub(crate) use spans::end_of_value;
pub use spans::{Member, Members, Span, locate, members};

/// How many arrays and objects may be open at the deepest place.
pub const MAX_NESTING: usize = 64;

/// Why bytes are not the JSON of protocol section 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Not JSON; the offset is the first byte that no JSON text with the same beginning could have there.
    Malformed,
    /// A member name that the same object already has; the offset is its opening quote.
    DuplicateName,
    /// A number that a double does not carry; the offset is its first character.
    LossyNumber,
    /// Ill-formed UTF-8, reported before all else, or an escaped surrogate without its other half.
    InvalidUnicode,
    /// The bracket that opens the 65th level.
    TooDeep,
    /// A text of 4 GiB or more, beyond the offsets used here.
    TooLarge,
}

/// The first error of a text and its byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The cause.
    pub code: Code,
    /// The place, counted in bytes from 0.
    pub offset: usize,
}

/// The properties of an accepted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Whether the text is its own canonical form.
    pub canonical: bool,
    /// Whether a number in it is a zero with a minus sign, which reads as 0 here.
    pub negative_zero: bool,
    /// Whether a member name is written with an escape.
    pub escaped_name: bool,
    /// How many arrays and objects are open at the deepest place.
    pub depth: usize,
}
