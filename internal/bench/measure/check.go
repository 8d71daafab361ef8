package measure

import "testing"

// CheckPeers shows that each peer runs the tools: every call that is valid gets the result, byte
// for byte. What the peers make of the other calls is logged, and reported with what was measured;
// it is no failure, since most check nothing.
func CheckPeers(t *testing.T, peers []Peer) {
	t.Helper()
	for _, p := range peers {
		t.Run(p.Name, func(t *testing.T) {
			for _, tool := range toolNames {
				if define, ok := p.Define[tool]; ok {
					checkTool(t, define(), tool)
				}
			}
			t.Logf("invalid: %+v, unknown: %+v", p.Judge(Invalid), p.Judge(Unknown))
			if p.List != nil && p.List(2)() < 2*len(MediumTool.Description) {
				t.Errorf("List(2) is shorter than two descriptions")
			}
		})
	}
}

func checkTool(t *testing.T, call Call, tool string) {
	t.Helper()
	for _, c := range Cases(tool) {
		answer := call(c.Input)
		if c.Kind != Valid {
			continue
		}
		if answer.Refused || answer.String() != c.Want {
			t.Errorf("%s %s: got %s (refused: %v), want %s", c.Tool, c.Kind, answer.String(),
				answer.Refused, c.Want)
		}
	}
}
