//! Number literals: which of them a double carries (protocol section 2), and how RFC 8785 section 3.2.2.3 writes it.

/// What a complete literal of the JSON grammar is.
pub(super) enum Number {
    /// The literal is its own canonical form.
    Canonical,
    /// Another literal is the canonical form of this value, which is finite.
    Value(f64),
    /// A zero with a minus sign, whose canonical form is `0`.
    NegativeZero,
    /// No double carries it.
    Lossy,
}

/// So many digits always fit in a double, and it is written in the same digits.
const SAFE_DIGITS: usize = 15;

/// Classifies a literal; `is_integer` says that it has neither a fraction nor an exponent.
pub(super) fn classify(literal: &[u8], is_integer: bool) -> Number {
    let digits = literal.strip_prefix(b"-").unwrap_or(literal);
    if is_integer && digits.len() <= SAFE_DIGITS {
        return if literal == b"-0" {
            Number::NegativeZero
        } else {
            Number::Canonical
        };
    }
    let Some(value) = str::from_utf8(literal).ok().and_then(|text| text.parse::<f64>().ok()) else {
        return Number::Lossy; // the grammar has been checked, so that every literal parses
    };
    if !value.is_finite() {
        return Number::Lossy;
    }
    if value == 0.0 {
        return if has_non_zero_digit(digits) {
            Number::Lossy
        } else if digits.len() < literal.len() {
            Number::NegativeZero
        } else {
            Number::Value(0.0)
        };
    }
    if write(value, &mut ryu_js::Buffer::new()) == literal {
        return Number::Canonical;
    }
    if is_integer && !is_exactly(digits, value.abs()) {
        return Number::Lossy;
    }
    Number::Value(value)
}

/// The canonical form of a finite double.
pub(super) fn write(value: f64, buffer: &mut ryu_js::Buffer) -> &[u8] {
    buffer.format_finite(value).as_bytes()
}

/// Whether a digit before the exponent is not 0.
fn has_non_zero_digit(digits: &[u8]) -> bool {
    digits
        .iter()
        .take_while(|byte| !matches!(byte, b'e' | b'E'))
        .any(|byte| matches!(byte, b'1'..=b'9'))
}

/// Whether decimal digits are exactly this positive whole double. At most 309 digits get here: longer ones overflow.
fn is_exactly(digits: &[u8], value: f64) -> bool {
    // 2^1024 has 32 limbs of 32 bits; the literal was rounded to a finite double, so that it is below that.
    let mut limbs = [0u32; 33];
    for digit in digits {
        let mut carry = u64::from(digit - b'0');
        for limb in &mut limbs {
            let product = u64::from(*limb) * 10 + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52) as usize; // the sign is 0
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    // Integers of 16 digits and more are above 2^49, so that the double is normal; below 2^52 bits are shifted out.
    let Some(shift) = exponent.checked_sub(1075) else {
        let right = 1075 - exponent;
        return right < 53 && mantissa.trailing_zeros() as usize >= right && equals(&limbs, mantissa >> right, 0);
    };
    equals(&limbs, mantissa, shift)
}

/// Whether the limbs are `value` shifted left by `shift` bits.
fn equals(limbs: &[u32], value: u64, shift: usize) -> bool {
    let wide = u128::from(value) << (shift % 32);
    let first = shift / 32;
    limbs.iter().enumerate().all(|(index, &limb)| {
        let expected = match index.checked_sub(first) {
            Some(place @ 0..4) => (wide >> (32 * place)) as u32,
            _ => 0,
        };
        limb == expected
    })
}
