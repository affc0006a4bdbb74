//! Number literals: which of them a double carries (protocol section 2), and their form by RFC 8785 section 3.2.2.3.

/// The class of a complete literal of the JSON grammar.
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

/// So many digits always fit in a double, which is written in the same digits.
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
    if !is_integer && is_short_fraction(digits) {
        return Number::Canonical;
    }
    let Some(value) = parse(literal) else {
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

/// Says whether a literal without sign, with a fraction or an exponent, has few digits in canonical form. Doubles tell
/// all numbers of [`SAFE_DIGITS`] significant digits apart, so no shorter digits mean the same double. From 1e-6 on
/// they are written without an exponent.
fn is_short_fraction(digits: &[u8]) -> bool {
    digits.len() <= SAFE_DIGITS + 1 // with the point
        && matches!(digits, [.., b'1'..=b'9'])
        && !digits.starts_with(b"0.000000")
        && !digits.iter().any(|byte| byte | 0x20 == b'e')
}

/// Returns the double nearest to a literal.
///
/// The standard library stops reading the digits of an exponent at 65536, so it reads e655360 as e65536; with a
/// mantissa of as many digits the value becomes finite and wrong. Such a literal is first rewritten with its digits
/// behind the point and a small exponent.
fn parse(literal: &[u8]) -> Option<f64> {
    let (mantissa, exponent) = split(literal, |byte| byte | 0x20 == b'e');
    let leading = exponent
        .iter()
        .take_while(|byte| matches!(byte, b'+' | b'-' | b'0'))
        .count();
    let exponent_digits = &exponent[leading..];
    if exponent_digits.len() <= 5 {
        return str::from_utf8(literal).ok()?.parse().ok();
    }
    let unsigned = mantissa.strip_prefix(b"-").unwrap_or(mantissa);
    let (whole, fraction) = split(unsigned, |byte| byte == b'.');
    let digits = whole.iter().chain(fraction);
    let zeros = digits.clone().take_while(|&&digit| digit == b'0').count();
    // A text is shorter than 2^32 bytes, so an exponent of 12 digits decides by itself.
    let size = exponent_digits
        .iter()
        .take(12)
        .fold(0i64, |size, digit| size * 10 + i64::from(digit - b'0'));
    let signed = if exponent.starts_with(b"-") { -size } else { size };
    // The value is 0.digits times ten to this power, and the first digit is not 0; the exact power does not matter far
    // outside the range of doubles.
    let power = (whole.len() as i64 - zeros as i64 + signed).clamp(-999, 999);
    let mut plain = Vec::with_capacity(literal.len() + 8);
    plain.extend_from_slice(if unsigned.len() < mantissa.len() { b"-." } else { b"0." });
    plain.extend(digits.skip(zeros));
    plain.extend_from_slice(if power < 0 { b"0e-" } else { b"0e+" });
    let power = power.unsigned_abs();
    plain.extend([power / 100, power / 10 % 10, power % 10].map(|digit| b'0' + digit as u8));
    str::from_utf8(&plain).ok()?.parse().ok()
}

/// Returns the parts before and behind the first byte of a kind; nothing behind if there is none.
fn split(bytes: &[u8], is_wanted: fn(u8) -> bool) -> (&[u8], &[u8]) {
    let at = bytes.iter().position(|&byte| is_wanted(byte)).unwrap_or(bytes.len());
    (&bytes[..at], bytes.get(at + 1..).unwrap_or_default())
}

/// Returns the canonical form of a finite double.
pub(super) fn write(value: f64, buffer: &mut ryu_js::Buffer) -> &[u8] {
    buffer.format_finite(value).as_bytes()
}

/// Says whether a digit before the exponent is not 0.
fn has_non_zero_digit(digits: &[u8]) -> bool {
    digits
        .iter()
        .take_while(|byte| !matches!(byte, b'e' | b'E'))
        .any(|byte| matches!(byte, b'1'..=b'9'))
}

/// Says whether decimal digits are exactly this positive whole double. At most 309 digits get here: longer ones
/// overflow.
fn is_exactly(digits: &[u8], value: f64) -> bool {
    // 2^1024 has 32 limbs of 32 bits; the literal was rounded to a finite double, so it is below that.
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
    // Integers of 16 digits and more are above 2^49, so the double is normal; below 2^52 bits are shifted out.
    let Some(shift) = exponent.checked_sub(1075) else {
        let right = 1075 - exponent;
        return right < 53 && mantissa.trailing_zeros() as usize >= right && equals(&limbs, mantissa >> right, 0);
    };
    equals(&limbs, mantissa, shift)
}

/// Says whether the limbs are `value` shifted left by `shift` bits.
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

#[cfg(test)]
mod tests {
    use super::{is_short_fraction, parse, write};

    /// Zeros and an exponent that cancel each other, across the exponents that the standard library reads wrongly.
    #[test]
    fn reads_exponents_of_any_length() {
        let digits = ["1", "17976931348623159", "24703282292062328"];
        for zeros in [0, 1, 1000, 65_213, 65_536, 99_999, 655_358, 655_360, 700_000] {
            for shift in [-340i64, -324, -323, -308, -1, 0, 1, 300, 308, 309] {
                for digits in digits {
                    let expected: f64 = format!("0.{digits}e{shift}").parse().unwrap();
                    let fraction = format!("0.{}{digits}e{}", "0".repeat(zeros), zeros as i64 + shift);
                    assert_eq!(
                        parse(fraction.as_bytes()),
                        Some(expected),
                        "{zeros} zeros, {digits}e{shift}"
                    );
                    let places = digits.len() as i64;
                    let whole = format!("-{digits}{}e{}", "0".repeat(zeros), shift - zeros as i64 - places);
                    assert_eq!(
                        parse(whole.as_bytes()),
                        Some(-expected),
                        "{zeros} zeros, {digits}e{shift}"
                    );
                }
            }
        }
        for (literal, expected) in [
            ("1e99999999999999999999999999", f64::INFINITY),
            ("1e-99999999999999999999999999", 0.0),
            ("1e+000000000000000000000000001", 10.0),
            ("0.0e-9999999999999999", 0.0),
            ("0e999999", 0.0),
        ] {
            assert_eq!(parse(literal.as_bytes()), Some(expected), "{literal}");
        }
        assert!(parse(b"-0e1000000").is_some_and(|zero| zero == 0.0 && zero.is_sign_negative()));
    }

    /// Digits without pattern, with the point at every place and zeros at both ends.
    #[test]
    fn takes_a_fraction_for_canonical_only_if_it_is_written_so() {
        let mut state = 9u64;
        let mut taken = 0;
        for round in 0..200_000u32 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let places = round as usize % 18;
            let digits = format!(
                "{:0width$}",
                (state >> 4) % 10u64.pow(1 + round % 17),
                width = places + 1
            );
            let (whole, fraction) = digits.split_at(digits.len() - places);
            let whole = match whole.trim_start_matches('0') {
                "" => "0",
                whole => whole,
            };
            let literal = if fraction.is_empty() {
                format!("{whole}e-{}", round % 9)
            } else {
                format!("{whole}.{fraction}")
            };
            if is_short_fraction(literal.as_bytes()) {
                taken += 1;
                let value: f64 = literal.parse().unwrap();
                assert_eq!(
                    write(value, &mut ryu_js::Buffer::new()),
                    literal.as_bytes(),
                    "{literal}"
                );
            }
        }
        assert!(taken > 50_000, "{taken}");
        for edge in [
            "0.000001",
            "0.0000019",
            "99999999999999.9",
            "0.00000123456789",
            "9.99999999999999",
        ] {
            assert!(is_short_fraction(edge.as_bytes()), "{edge}");
        }
        for edge in [
            "0.0000001",
            "0.0000009",
            "1.0",
            "0.0",
            "1.50",
            "1e5",
            "1.5E3",
            "0.123456789012345",
            "1234567.890123456",
        ] {
            assert!(!is_short_fraction(edge.as_bytes()), "{edge}");
        }
    }
}
