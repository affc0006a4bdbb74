//! Strict JSON: no input panics, acceptance and meaning agree with `serde_json` wherever both must agree, and the
//! canonical form is a form: accepted, its own canonical form, of the same value, in order, and made of the parts that
//! `members` finds.

use serde_json::Value;
use svc_kernel::json::{self, Code, compare_names, members};

/// Takes any text.
pub fn check(data: &[u8]) {
    let other = serde_json::from_slice::<Value>(data);
    // For bytes that are not canonical JSON the results mean nothing, but there is no panic and no endless loop.
    if let Some(found) = members(data, 0) {
        assert!(found.count() <= data.len());
    }
    let _ = json::locate(data, [&b"\"0\""[..], b"\"a\""]);

    let checked = json::check(data);
    let canonicalized = json::canonicalize(data);
    assert_eq!(
        checked,
        canonicalized.as_ref().map(|(form, _)| *form).map_err(|error| *error)
    );
    let (form, rewritten) = match canonicalized {
        Ok(accepted) => accepted,
        Err(error) => {
            assert!(error.offset <= data.len(), "{error:?} of {} bytes", data.len());
            if matches!(error.code, Code::Malformed | Code::InvalidUnicode) {
                assert!(other.is_err(), "{error:?}, and serde_json accepts it");
            }
            return;
        }
    };
    let other = other.expect("accepted here and not by serde_json");
    assert_eq!(form.canonical, rewritten.is_none());
    let canonical = rewritten.as_deref().unwrap_or(data);
    assert!(
        rewritten.is_none() || canonical != data,
        "the same bytes, said to be another form"
    );

    let again = json::check(canonical).expect("canonical bytes are accepted");
    assert!(again.canonical && !again.negative_zero, "{again:?} of canonical bytes");
    assert!(!form.canonical || !form.negative_zero);
    let value: Value = serde_json::from_slice(canonical).expect("canonical bytes are JSON");
    assert!(same(&value, &other), "another value: {value} instead of {other}");
    let mut joined = Vec::new();
    rejoin(canonical, &mut joined);
    assert_eq!(joined, canonical, "the parts do not make up the whole");
}

/// Says whether two values are equal, with numbers as doubles.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Reassembles a canonical text from the parts that `members` finds, and checks each name's order on the way.
fn rejoin(text: &[u8], out: &mut Vec<u8>) {
    let Some(found) = members(text, 0) else {
        out.extend_from_slice(text);
        return;
    };
    let is_object = text[0] == b'{';
    let mut last_name: Option<String> = None;
    out.push(text[0]);
    for (index, member) in found.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        if is_object {
            let name: String = serde_json::from_slice(member.name.of(text)).expect("a name is a string");
            if let Some(last) = &last_name {
                assert!(
                    compare_names(last.as_bytes(), name.as_bytes()).is_lt(),
                    "{last:?} before {name:?}"
                );
                assert!(last.encode_utf16().lt(name.encode_utf16()), "{last:?} before {name:?}");
            }
            out.extend_from_slice(member.name.of(text));
            out.push(b':');
            let steps = [member.name.of(text)];
            assert_eq!(json::locate(text, steps), Some(member.value));
            last_name = Some(name);
        } else {
            assert_eq!(
                json::locate(text, [format!("\"{index}\"").as_bytes()]),
                Some(member.value)
            );
        }
        rejoin(member.value.of(text), out);
    }
    out.push(if is_object { b'}' } else { b']' });
}
