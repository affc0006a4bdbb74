//! A recipe as data, and its parser.
//!
//! All numbers are 32-bit little-endian; a text is its length and its bytes, a list its length and its items. A recipe
//! is: list of wanted; list of digests (list of pieces); list of signatures (list of pieces, field of the signature,
//! field of the key's name, list of (name, 32 bytes)); list of hexadecimal fields; list of literal fields; list of
//! object fields; 1 if records are closed, and otherwise 0. A wanted is a text (the name with its quotes), a field or
//! 2^32-1 for none, and a list of wanted. A piece is a field and, if that is 2^32-1, a text.

use crate::json::{compare_names, sort_names};

/// A member to find in each record.
#[derive(Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name as a canonical string literal, quotes included.
    pub name: Vec<u8>,
    /// The number under which its value is kept, if it is.
    pub field: Option<usize>,
    /// The wanted members inside of its value, in the order of the names.
    pub inside: Vec<Wanted>,
}

/// A part of a hashed or signed message.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// The same bytes for each record.
    Text(Vec<u8>),
    /// The value of a member, as it is in the text.
    Field(usize),
}

/// A signature that each record carries.
#[derive(Debug, PartialEq, Eq)]
pub struct Signed {
    /// The signed message.
    pub message: Vec<Piece>,
    /// The member with the signature, 128 hexadecimal digits.
    pub signature: usize,
    /// The member that names the key.
    pub key: usize,
    /// The public keys by that member's value in the text.
    pub keys: Keys,
}

/// Public keys by name.
#[derive(Debug, PartialEq, Eq)]
pub struct Keys {
    keys: Vec<(Vec<u8>, [u8; 32])>,
    /// The indexes of the keys in the order of their names.
    order: Vec<u32>,
}

impl Keys {
    /// Returns the key of a name.
    pub fn get(&self, name: &[u8]) -> Option<&[u8; 32]> {
        let place = self
            .order
            .binary_search_by(|&index| compare_names(&self.keys[index as usize].0, name))
            .ok()?;
        self.keys.get(*self.order.get(place)? as usize).map(|(_, key)| key)
    }
}

/// The members to find, hash and check in each record.
#[derive(Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The members, in the order of their names.
    pub wanted: Vec<Wanted>,
    /// The number of fields that they fill.
    pub fields: usize,
    /// The message of each digest.
    pub digests: Vec<Vec<Piece>>,
    /// The signatures.
    pub signatures: Vec<Signed>,
    /// The members that are 64 hexadecimal digits.
    pub hashes: Vec<usize>,
    /// The members whose values are output as they are in the text.
    pub literals: Vec<usize>,
    /// The members that are objects.
    pub objects: Vec<usize>,
    /// Whether a member that is not wanted makes a record irregular.
    pub closed: bool,
}

/// Means no field.
const NONE: u32 = u32::MAX;
/// More fields than any recipe has; it bounds the memory of a record's places.
const MAX_FIELDS: u32 = 64;
/// How deep wanted members may be nested.
const MAX_DEPTH: usize = 8;

impl Recipe {
    /// Parses a recipe; none if the bytes are not exactly one.
    pub fn parse(bytes: &[u8]) -> Option<Recipe> {
        let mut reader = Reader { rest: bytes, fields: 0 };
        let wanted = reader.list(|reader| reader.wanted(0))?;
        let digests = reader.list(|reader| reader.list(Reader::piece))?;
        let signatures = reader.list(Reader::signed)?;
        let hashes = reader.list(Reader::field)?;
        let literals = reader.list(Reader::field)?;
        let objects = reader.list(Reader::field)?;
        let closed = reader.number()? == 1;
        let fields = reader.fields;
        reader.rest.is_empty().then_some(Recipe {
            wanted,
            fields,
            digests,
            signatures,
            hashes,
            literals,
            objects,
            closed,
        })
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    fields: usize,
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u32> {
        let (bytes, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*bytes))
    }

    fn field(&mut self) -> Option<usize> {
        let number = self.number()?;
        if number >= MAX_FIELDS {
            return None;
        }
        let field = number as usize;
        self.fields = self.fields.max(field + 1);
        Some(field)
    }

    fn text(&mut self) -> Option<Vec<u8>> {
        let length = self.number()? as usize;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(text.to_vec())
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| item(self)).collect()
    }

    fn wanted(&mut self, depth: usize) -> Option<Wanted> {
        if depth == MAX_DEPTH {
            return None;
        }
        let name = self.text()?;
        let field = self.optional_field()?;
        let inside = self.list(|reader| reader.wanted(depth + 1))?;
        Some(Wanted { name, field, inside })
    }

    fn optional_field(&mut self) -> Option<Option<usize>> {
        if self.rest.starts_with(&NONE.to_le_bytes()) {
            self.number().map(|_| None)
        } else {
            self.field().map(Some)
        }
    }

    fn piece(&mut self) -> Option<Piece> {
        match self.optional_field()? {
            Some(field) => Some(Piece::Field(field)),
            None => self.text().map(Piece::Text),
        }
    }

    fn signed(&mut self) -> Option<Signed> {
        let message = self.list(Self::piece)?;
        let signature = self.field()?;
        let key = self.field()?;
        let keys = self.list(|reader| Some((reader.text()?, reader.key()?)))?;
        let order = sort_names(keys.len(), &|index| {
            keys.get(index as usize).map_or(&[][..], |(name, _)| name)
        });
        Some(Signed {
            message,
            signature,
            key,
            keys: Keys { keys, order },
        })
    }

    fn key(&mut self) -> Option<[u8; 32]> {
        let (key, rest) = self.rest.split_first_chunk::<32>()?;
        self.rest = rest;
        Some(*key)
    }
}
