package general

import (
	"encoding/base64"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// formats holds every format that is enforced. A name that is missing here is an annotation:
// it accepts every string. All of them accept every value that is not a string.
//
//	date-time              RFC 3339 date-time that time.Time can hold: upper-case T and Z,
//	                       no leap second
//	date                   RFC 3339 full-date
//	time                   RFC 3339 full-time: upper-case Z, no leap second
//	duration               ISO 8601 duration in the grammar of RFC 3339 appendix A
//	email                  RFC 5321 mailbox, ASCII
//	hostname               RFC 1123 section 2.1, ASCII; xn-- labels are not decoded
//	ipv4                   RFC 2673 section 3.2: four decimal numbers, no leading zero
//	ipv6                   RFC 4291 section 2.2, no zone
//	uri                    RFC 3986 with a scheme
//	uri-reference          RFC 3986, scheme or not
//	uuid                   RFC 4122 text form, either case
//	json-pointer           RFC 6901
//	relative-json-pointer  draft-bhutton-relative-json-pointer-00, without index changes
//	regex                  what Go's regexp compiles (RE2)
//	go-duration            what time.ParseDuration accepts
//	base64                 RFC 4648 section 4 with padding, no line breaks
//	ip                     either of ipv4 and ipv6
var formats = map[string]func(string) bool{
	"date-time":             isDateTime,
	"date":                  isDate,
	"time":                  func(s string) bool { return isDateTime("2000-01-01T" + s) },
	"duration":              durationForm,
	"email":                 isEmail,
	"hostname":              isHostname,
	"ipv4":                  func(s string) bool { a, ok := address(s); return ok && a.Is4() },
	"ipv6":                  func(s string) bool { a, ok := address(s); return ok && a.Is6() },
	"uri":                   func(s string) bool { u, ok := reference(s); return ok && u.IsAbs() },
	"uri-reference":         func(s string) bool { _, ok := reference(s); return ok },
	"uuid":                  uuidForm,
	"json-pointer":          pointerForm,
	"relative-json-pointer": relativePointerForm,
	"regex":                 func(s string) bool { _, err := regexp.Compile(s); return err == nil },
	"go-duration":           isGoDuration,
	"base64":                isBase64,
	"ip":                    func(s string) bool { _, ok := address(s); return ok },
}

// Format returns the check behind a format name, and false for a name that is not enforced.
func Format(name string) (func(string) bool, bool) {
	check, ok := formats[name]
	return check, ok
}

var (
	durationForm = form(`^P(?:\d+W|(?:` + datePart + `)(?:T(?:` + timePart +
		`))?|T(?:` + timePart + `))$`)
	dateTimeForm = form(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?` +
		`(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)
	uuidForm = form(
		`^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$`)
	pointerForm         = form(`^(?:/(?:[^~/]|~[01])*)*$`)
	relativePointerForm = form(`^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)$`)
	atomForm            = form("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+" +
		"(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$")
	quotedForm = form(`^"(?:[ !#-\[\]-~]|\\[ -~])*"$`)
	labelForm  = form(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
	twoAtForm  = form(`^[^/?#]*//[^/?#]*@[^/?#]*@`)
	uriForm    = form(
		`^(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$`)
)

// form returns what reports whether a text matches the pattern. It compiles the pattern when it is first asked:
// all of them take a third of a millisecond, which a program that meets none of them need not pay at its start.
func form(pattern string) func(string) bool {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	return func(s string) bool { return compiled().MatchString(s) }
}

// Units may not be skipped: P1Y2D and PT1H2S are not in the grammar.
const (
	datePart = `\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D`
	timePart = `\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S`
)

// isDateTime asks for what both RFC 3339 and time.Time accept. Despite its doc, time.Time also
// takes a one-digit hour, a decimal comma and an offset of 24:00 (go.dev/issue/54580).
func isDateTime(s string) bool {
	var t time.Time
	return dateTimeForm(s) && t.UnmarshalText([]byte(s)) == nil
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isEmail splits at the last @, since a quoted local part may hold one.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if !atomForm(local) && !quotedForm(local) {
		return false
	}
	literal, bracketed := strings.CutPrefix(domain, "[")
	if !bracketed {
		return isHostname(domain)
	}
	literal, closed := strings.CutSuffix(literal, "]")
	v6, isV6 := strings.CutPrefix(literal, "IPv6:")
	a, ok := address(v6)
	return closed && ok && a.Is6() == isV6
}

func isHostname(s string) bool {
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !labelForm(label) {
			return false
		}
	}
	return true
}

func address(s string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(s)
	return a, err == nil && a.Zone() == ""
}

// reference checks the character set itself, because net/url is more lenient than RFC 3986,
// also about a second @ in the authority.
func reference(s string) (*url.URL, bool) {
	if !uriForm(s) {
		return nil, false
	}
	u, err := url.Parse(s)
	if err != nil {
		return nil, false
	}
	// Brackets stand around an IP literal and nowhere else; a fragment holds no second #.
	rest := u.EscapedPath() + u.RawQuery + u.EscapedFragment() + u.Opaque
	if u.User != nil {
		rest += u.User.String()
	}
	return u, !strings.ContainsAny(rest, "[]") && !twoAtForm(s) &&
		strings.Count(s, "#") <= 1
}

func isGoDuration(s string) bool {
	_, err := time.ParseDuration(s)
	return err == nil
}

// isBase64 looks for line breaks itself: the decoder skips them.
func isBase64(s string) bool {
	if strings.ContainsAny(s, "\r\n") {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil
}
