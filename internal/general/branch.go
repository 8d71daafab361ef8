package general

import "strconv"

// maxBranches bounds the branches of one union that are judged to explain it.
const maxBranches = 50

// Branches judges a value by each branch of the anyOf or oneOf that a finding of the schema is
// about, in order, and returns what each one finds; a branch that finds nothing accepts the value.
// It returns nil where the branches are not in the document, or are too many.
func (s *Schema) Branches(f Finding, value []byte) [][]Finding {
	d := s.doc
	list, _ := lookup(d.prepared.tree.root, d.prepared.inward(f.Schema))
	branches, _ := list.([]any)
	if len(branches) > maxBranches {
		return nil
	}
	var out [][]Finding
	for i := range branches {
		branch, err := d.Sub(f.Schema + "/" + strconv.Itoa(i))
		if err != nil {
			return nil
		}
		out = append(out, branch.Problems(value))
	}
	return out
}
