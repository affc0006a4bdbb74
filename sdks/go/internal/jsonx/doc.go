// Package jsonx reads and writes the JSON of protocol section 2, and its canonical bytes by RFC 8785.
//
// [Parse] accepts exactly what section 2 accepts, and keeps where each part is in the canonical bytes, so that a
// part is hashed as it stands. [Encode] makes canonical bytes from Go values. Nothing here knows a protocol object.
package jsonx
