package scan

// Compact appends checked JSON text without white space between its tokens and without escapes that
// JSON does not need, such as \u003c for <. Numbers and the order of members stay as written.
func Compact(dst, checked []byte) []byte {
	for i := 0; i < len(checked); {
		switch c := checked[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end, escaped := stringEnd(checked, i)
			if escaped {
				dst = AppendQuote(dst, Unquote(checked[i:end]))
			} else {
				dst = append(dst, checked[i:end]...)
			}
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}
