// Package inflate unpacks raw deflate streams (RFC 1951) as strictly as protocol section 15 demands, which
// compress/flate does not.
package inflate

// Inflate unpacks packed, which is the whole stream, and calls take with its content piece by piece, in order; a piece
// is valid only until take returns. size is the declared length of the content in bytes.
//
// ok says whether the stream is as section 15 demands: it gives exactly so many bytes, ends exactly where its bytes end,
// and has no bit without a meaning. A bad stream may have passed pieces before, but never more than size bytes.
func Inflate(packed []byte, size uint32, take func(piece []byte)) (ok bool) {
	return false
}
