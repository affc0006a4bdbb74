package values

// Cut returns a text of at most so many UTF-16 units: a longer one ends in an ellipsis, which is not counted. A
// character of two units that the cut would part is U+FFFD there.
func Cut(text string, units int) string {
	if len(text) <= units {
		return text
	}
	used := 0
	end, tail := len(text), ""
	for at, r := range text {
		wide := 1
		if r > 0xffff {
			wide = 2
		}
		if used+wide > units && tail == "" {
			end, tail = at, "…"
			if used < units {
				tail = "\ufffd…"
			}
		}
		used += wide
	}
	return text[:end] + tail
}
