package general

import "slices"

// The reasons why a verdict is not the suite's.
const (
	reasonDynamic = `the library stops at the nearest resource in the dynamic scope`
	reasonContent = `contentEncoding and contentMediaType are never enforced`
	reasonLeap    = `time.Time has no leap seconds`
	reasonCase    = `time.Time wants upper-case T and Z`
	reasonRegex   = `the regex format is RE2, not ECMA-262`
	reasonSpace   = `\s and \S are ASCII in RE2`
	reasonControl = `RE2 has no \c escapes, so the pattern is not enforced`
)

// A listed is the cases of one group that differ for one reason.
type listed struct {
	group  string
	reason string
	cases  []string
}

// differences lists the cases whose verdict is not the suite's. Both drafts share it, since
// their groups have the same names.
var differences = []listed{
	{
		group:  `dynamicRef: $dynamicRef skips over intermediate resources - direct reference`,
		reason: reasonDynamic,
		cases: []string{
			`integer property passes`,
			`string property fails`,
		},
	},
	{
		group: `optional/dynamicRef: $dynamicRef skips over intermediate resources - ` +
			`pointer reference across resource boundary`,
		reason: reasonDynamic,
		cases: []string{
			`integer property passes`,
			`string property fails`,
		},
	},
	{
		group: `optional/ecmascript-regex: ECMA 262 regex escapes control codes with ` +
			`\c and upper letter`,
		reason: reasonControl,
		cases: []string{
			`does not match`,
		},
	},
	{
		group: `optional/ecmascript-regex: ECMA 262 regex escapes control codes with ` +
			`\c and lower letter`,
		reason: reasonControl,
		cases: []string{
			`does not match`,
		},
	},
	{
		group:  `optional/ecmascript-regex: ECMA 262 \s matches whitespace`,
		reason: reasonSpace,
		cases: []string{
			`Line tabulation matches`,
			`latin-1 non-breaking-space matches`,
			`zero-width whitespace matches`,
			`paragraph separator matches (line terminator)`,
			`EM SPACE matches (Space_Separator)`,
		},
	},
	{
		group:  `optional/ecmascript-regex: ECMA 262 \S matches everything but whitespace`,
		reason: reasonSpace,
		cases: []string{
			`Line tabulation does not match`,
			`latin-1 non-breaking-space does not match`,
			`zero-width whitespace does not match`,
			`paragraph separator does not match (line terminator)`,
			`EM SPACE does not match (Space_Separator)`,
		},
	},
	{
		group:  `optional/format/date-time: validation of date-time strings`,
		reason: reasonLeap,
		cases: []string{
			`a valid date-time with a leap second, UTC`,
			`a valid date-time with a leap second, with minus offset`,
		},
	},
	{
		group:  `optional/format/time: validation of time strings`,
		reason: reasonLeap,
		cases: []string{
			`a valid time string with leap second, Zulu`,
			`valid leap second, zero time-offset`,
			`valid leap second, positive time-offset`,
			`valid leap second, large positive time-offset`,
			`valid leap second, negative time-offset`,
			`valid leap second, large negative time-offset`,
		},
	},
	{
		group:  `optional/format/date-time: validation of date-time strings`,
		reason: reasonCase,
		cases: []string{
			`case-insensitive T and Z`,
		},
	},
	{
		group:  `optional/format/time: validation of time strings`,
		reason: reasonCase,
		cases: []string{
			`a valid time string with case-insensitive Z`,
		},
	},
	{
		group:  `optional/format/ecmascript-regex: \a is not an ECMA 262 control escape`,
		reason: reasonRegex,
		cases: []string{
			`when used as a pattern`,
		},
	},
	{
		group: `optional/format/ecmascript-regex: Python-specific regular expression ` +
			`syntax is not valid ECMA 262`,
		reason: reasonRegex,
		cases: []string{
			`Python named group (?P<name>...) is not ECMA 262`,
		},
	},
	{
		group: `optional/format/ecmascript-regex: global inline flag groups are not ` +
			`valid ECMA 262`,
		reason: reasonRegex,
		cases: []string{
			`a single global inline flag (?i)`,
			`multiple global inline flags (?ims)`,
		},
	},
	{
		group: `optional/format/ecmascript-regex: ECMA 262 named groups and ` +
			`backreferences are valid`,
		reason: reasonRegex,
		cases: []string{
			`an ECMA 262 named backreference \k<name>`,
		},
	},
	{
		group: `optional/format/ecmascript-regex: ECMA 262 lookbehind is valid, ` +
			`including variable width`,
		reason: reasonRegex,
		cases: []string{
			`a variable-width lookbehind (ES2018)`,
		},
	},
	{
		group:  `optional/format/ecmascript-regex: ECMA 262 character classes and escapes`,
		reason: reasonRegex,
		cases: []string{
			`an empty character class is valid ECMA 262`,
			`a negated empty character class is valid ECMA 262`,
			`a control escape \cA is valid ECMA 262`,
		},
	},
	{
		group:  `optional/content: validation of string-encoded content based on media type`,
		reason: reasonContent,
		cases: []string{
			`an invalid JSON document`,
		},
	},
	{
		group:  `optional/content: validation of binary string-encoding`,
		reason: reasonContent,
		cases: []string{
			`an invalid base64 string (% is not a valid character)`,
		},
	},
	{
		group:  `optional/content: validation of binary-encoded media type documents`,
		reason: reasonContent,
		cases: []string{
			`a validly-encoded invalid JSON document`,
			`an invalid base64 string that is valid JSON`,
		},
	},
}

// listedReason returns the reason listed for a case, or "".
func listedReason(group, note string) string {
	for _, l := range differences {
		if l.group == group && slices.Contains(l.cases, note) {
			return l.reason
		}
	}
	return ""
}
