//! The state between two calls.

use std::cell::RefCell;

/// The buffers of this instance.
pub(crate) struct State {
    /// The host's input.
    pub(crate) input: Vec<u8>,
    /// The output for the host.
    pub(crate) output: Vec<u8>,
    /// The canonical text that was opened last.
    pub(crate) document: Vec<u8>,
    /// The offset of the last reported error.
    pub(crate) offset: u32,
}

thread_local! {
    static STATE: RefCell<State> = const {
        RefCell::new(State {
            input: Vec::new(),
            output: Vec::new(),
            document: Vec::new(),
            offset: 0,
        })
    };
}

/// Calls a function with the state. No export calls another, so the state is never borrowed twice.
pub(crate) fn with<T>(action: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(action)
}

/// Reads a number of a layout.
pub(crate) fn number(bytes: &mut &[u8]) -> Option<usize> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*number) as usize)
}

/// Reads so many bytes of a layout.
pub(crate) fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

/// Reads so many lengths.
pub(crate) fn lengths<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [[u8; 4]]> {
    take(bytes, count.checked_mul(4)?).map(|lengths| lengths.as_chunks().0)
}

/// Reads byte strings of these lengths.
pub(crate) fn texts<'a>(bytes: &mut &'a [u8], lengths: &[[u8; 4]]) -> Option<Vec<&'a [u8]>> {
    // Reserved, because collecting fallible items does not reserve.
    let mut texts = Vec::with_capacity(lengths.len());
    for length in lengths {
        texts.push(take(bytes, u32::from_le_bytes(*length) as usize)?);
    }
    Some(texts)
}
