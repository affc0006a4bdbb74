//! The strict parser: one pass over the text that checks it and writes its canonical form, if it is not canonical
//! already.
//!
//! As long as the text is canonical nothing is copied. At the first byte that is not, the text so far is copied, and
//! the canonical form is written from there on; until then an offset in the text is an offset in the canonical bytes.
//! The file is long because every step of the grammar reads and writes the same few fields, which a second file would
//! need too.

use super::names::{Names, OpenMember, compare};
use super::numbers::{Number, classify, write};
use super::{Code, Error, Form, MAX_NESTING, escapes, scan};
use core::cmp::Ordering;

/// Checks a text without writing anything.
pub fn check(text: &[u8]) -> Result<Form, Error> {
    Ok(Parser::run(text, false)?.form)
}

/// Checks a text and returns its canonical bytes; none if the text is canonical already.
pub fn canonicalize(text: &[u8]) -> Result<(Form, Option<Vec<u8>>), Error> {
    let parser = Parser::run(text, true)?;
    Ok((parser.form, parser.rewriting.then_some(parser.out)))
}

/// An object that is open at the current offset.
struct Frame {
    /// Its first member among all open ones.
    first_member: usize,
    /// The end of the unescaped names before it.
    unescaped: usize,
    /// Whether the names so far are in ascending order, so that there is no duplicate.
    ascending: bool,
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    form: Form,
    /// Whether the caller asks for canonical bytes.
    wanted: bool,
    /// Whether the canonical bytes so far are in `out`; if not, they are the text itself.
    rewriting: bool,
    out: Vec<u8>,
    names: Names<'a>,
    members: Vec<OpenMember>,
    frames: Vec<Frame>,
}

impl<'a> Parser<'a> {
    fn run(text: &'a [u8], wanted: bool) -> Result<Self, Error> {
        if u32::try_from(text.len()).is_err() {
            return Err(Error {
                code: Code::TooLarge,
                offset: 0,
            });
        }
        if let Some(offset) = scan::ill_formed(text) {
            return Err(Error {
                code: Code::InvalidUnicode,
                offset,
            });
        }
        let mut parser = Parser {
            text,
            at: 0,
            form: Form {
                canonical: true,
                negative_zero: false,
                escaped_name: false,
                depth: 0,
            },
            wanted,
            rewriting: false,
            out: Vec::new(),
            names: Names {
                text,
                unescaped: Vec::new(),
            },
            members: Vec::new(),
            frames: Vec::new(),
        };
        match parser.document() {
            Ok(()) => Ok(parser),
            Err(error) => Err(parser.open_duplicate().unwrap_or(error)),
        }
    }

    fn document(&mut self) -> Result<(), Error> {
        self.skip_space();
        self.value(0)?;
        self.skip_space();
        if self.at == self.text.len() {
            Ok(())
        } else {
            Err(self.malformed())
        }
    }

    /// Reads a value inside `depth` open brackets.
    fn value(&mut self, depth: usize) -> Result<(), Error> {
        match self.peek() {
            Some(b'"') => self.string().map(|_| ()),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b't') => self.literal(b"true"),
            Some(b'f') => self.literal(b"false"),
            Some(b'n') => self.literal(b"null"),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<(), Error> {
        self.open(depth)?;
        let start = self.place();
        self.frames.push(Frame {
            first_member: self.members.len(),
            unescaped: self.names.unescaped.len(),
            ascending: true,
        });
        self.skip_space();
        if self.peek() != Some(b'}') {
            loop {
                self.skip_space();
                self.name()?;
                let index = self.members.len() - 1;
                self.skip_space();
                self.take(b':')?;
                self.skip_space();
                self.value(depth + 1)?;
                self.members[index].end = self.place();
                self.skip_space();
                if self.peek() != Some(b',') {
                    break;
                }
                self.take(b',')?;
            }
            if self.peek() != Some(b'}') {
                return Err(self.malformed());
            }
            self.order_members(start)?;
        }
        if let Some(frame) = self.frames.pop() {
            self.members.truncate(frame.first_member);
            self.names.unescaped.truncate(frame.unescaped);
        }
        self.take(b'}')
    }

    fn array(&mut self, depth: usize) -> Result<(), Error> {
        self.open(depth)?;
        self.skip_space();
        if self.peek() != Some(b']') {
            loop {
                self.skip_space();
                self.value(depth + 1)?;
                self.skip_space();
                if self.peek() != Some(b',') {
                    break;
                }
                self.take(b',')?;
            }
        }
        self.take(b']')
    }

    fn open(&mut self, depth: usize) -> Result<(), Error> {
        if depth >= MAX_NESTING {
            return Err(Error {
                code: Code::TooDeep,
                offset: self.at,
            });
        }
        self.form.depth = self.form.depth.max(depth + 1);
        self.emit_text(self.at, self.at + 1);
        self.at += 1;
        Ok(())
    }

    /// Reads a member name and keeps it among the open members.
    fn name(&mut self) -> Result<(), Error> {
        let (quote, start) = (self.at, self.place());
        if self.peek() != Some(b'"') {
            return Err(self.malformed());
        }
        let unescaped = self.string()?;
        let (mut name, mut name_length) = (quote + 1, self.at - quote - 2);
        if unescaped {
            self.form.escaped_name = true;
            let raw = self.text.get(name..name + name_length).unwrap_or_default();
            name = self.names.unescaped.len();
            escapes::unescape(raw, &mut self.names.unescaped);
            name_length = self.names.unescaped.len() - name;
        }
        // All of these are within the text, which is shorter than 4 GiB.
        let (quote, name, name_length) = (quote as u32, name as u32, name_length as u32);
        let member = OpenMember {
            quote,
            name,
            name_length,
            unescaped,
            start,
            end: start,
        };
        if let Some(frame) = self.frames.last_mut()
            && frame.ascending
            && let Some(previous) = self.members.get(frame.first_member..).and_then(<[_]>::last)
        {
            match compare(self.names.of(previous), self.names.of(&member)) {
                Ordering::Less => {}
                Ordering::Equal => return Err(duplicate(quote as usize)),
                Ordering::Greater => frame.ascending = false,
            }
        }
        self.members.push(member);
        Ok(())
    }

    /// Brings the members of the innermost object, which begin at `start` of the canonical bytes, into canonical order.
    fn order_members(&mut self, start: usize) -> Result<(), Error> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        if frame.ascending {
            return Ok(());
        }
        let members = self.members.get(frame.first_member..).unwrap_or_default();
        let order = self.names.sort(members);
        if let Some(quote) = self.names.first_duplicate(members, &order) {
            return Err(duplicate(quote));
        }
        self.leave_text(self.at);
        if self.rewriting {
            let members = self.members.get(frame_start(&self.frames)..).unwrap_or_default();
            let mut ordered = Vec::with_capacity(self.out.len() - start);
            for &index in &order {
                if !ordered.is_empty() {
                    ordered.push(b',');
                }
                let OpenMember { start, end, .. } = members[index as usize];
                ordered.extend_from_slice(&self.out[start..end]);
            }
            self.out.truncate(start);
            self.out.extend_from_slice(&ordered);
        }
        Ok(())
    }

    /// Returns the first duplicate name of the objects that are still open: those out of order have not been searched
    /// yet.
    fn open_duplicate(&self) -> Option<Error> {
        let mut end = self.members.len();
        let mut first = None;
        for frame in self.frames.iter().rev() {
            if !frame.ascending {
                let members = self.members.get(frame.first_member..end).unwrap_or_default();
                // An inner open object began after every name of the outer one, so the outer one's duplicate comes
                // first.
                first = self.names.first_duplicate(members, &self.names.sort(members)).or(first);
            }
            end = frame.first_member;
        }
        first.map(duplicate)
    }

    /// Reads a string; returns whether it contains escapes.
    fn string(&mut self) -> Result<bool, Error> {
        let mut has_escapes = false;
        let mut unwritten = self.at;
        let mut at = self.at + 1;
        loop {
            at = scan::special(self.text, at);
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    has_escapes = true;
                    let escape = escapes::read(self.text, at)?;
                    if !escape.canonical {
                        self.emit_text(unwritten, at);
                        self.leave_text(at);
                        if self.rewriting {
                            escapes::write(escape.character, &mut self.out);
                        }
                        unwritten = at + escape.length;
                    }
                    at += escape.length;
                }
                _ => {
                    return Err(Error {
                        code: Code::Malformed,
                        offset: at,
                    });
                }
            }
        }
        self.emit_text(unwritten, at + 1);
        self.at = at + 1;
        Ok(has_escapes)
    }

    fn number(&mut self) -> Result<(), Error> {
        let start = self.at;
        let mut is_integer = true;
        self.skip(|byte| byte == b'-');
        if !self.skip(|byte| byte == b'0') {
            self.digits()?;
        }
        if self.skip(|byte| byte == b'.') {
            is_integer = false;
            self.digits()?;
        }
        if self.skip(|byte| byte == b'e' || byte == b'E') {
            is_integer = false;
            self.skip(|byte| byte == b'+' || byte == b'-');
            self.digits()?;
        }
        match classify(&self.text[start..self.at], is_integer) {
            Number::Canonical => self.emit_text(start, self.at),
            Number::Value(value) => self.replace(start, write(value, &mut ryu_js::Buffer::new())),
            Number::NegativeZero => {
                self.form.negative_zero = true;
                self.replace(start, b"0");
            }
            Number::Lossy => {
                return Err(Error {
                    code: Code::LossyNumber,
                    offset: start,
                });
            }
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Error> {
        let start = self.at;
        while self.skip(|byte| byte.is_ascii_digit()) {}
        if self.at == start {
            Err(self.malformed())
        } else {
            Ok(())
        }
    }

    fn literal(&mut self, literal: &[u8]) -> Result<(), Error> {
        literal.iter().try_for_each(|&byte| self.take(byte))
    }

    fn skip_space(&mut self) {
        let start = self.at;
        while self.skip(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {}
        if self.at > start {
            self.leave_text(start);
        }
    }

    /// Moves behind the next byte if it is wanted, and writes nothing.
    fn skip(&mut self, is_wanted: impl Fn(u8) -> bool) -> bool {
        let found = self.peek().is_some_and(is_wanted);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Reads and writes this byte, which must be the next one.
    fn take(&mut self, byte: u8) -> Result<(), Error> {
        if self.peek() != Some(byte) {
            return Err(self.malformed());
        }
        if self.rewriting {
            self.out.push(byte);
        }
        self.at += 1;
        Ok(())
    }

    /// Returns the current offset in the canonical bytes.
    fn place(&self) -> usize {
        if self.rewriting { self.out.len() } else { self.at }
    }

    /// Writes a part of the text unchanged.
    fn emit_text(&mut self, from: usize, to: usize) {
        if self.rewriting {
            self.out.extend_from_slice(&self.text[from..to]);
        }
    }

    /// Writes other bytes in place of the text from `start` on.
    fn replace(&mut self, start: usize, bytes: &[u8]) {
        self.leave_text(start);
        if self.rewriting {
            self.out.extend_from_slice(bytes);
        }
    }

    /// Notes that the text is not canonical; the text up to `end` is, except for the order of members in open objects.
    fn leave_text(&mut self, end: usize) {
        if self.wanted && !self.rewriting {
            self.out.reserve(self.text.len());
            self.out.extend_from_slice(&self.text[..end]);
            self.rewriting = true;
        }
        self.form.canonical = false;
    }

    fn malformed(&self) -> Error {
        Error {
            code: Code::Malformed,
            offset: self.at,
        }
    }
}

fn frame_start(frames: &[Frame]) -> usize {
    frames.last().map_or(0, |frame| frame.first_member)
}

fn duplicate(quote: usize) -> Error {
    Error {
        code: Code::DuplicateName,
        offset: quote,
    }
}
