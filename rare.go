package jig

import "github.com/jig-go/jig/internal/scan"

// A rare is what few calls have. Copies of a prepared share it: it is changed by amend alone.
type rare struct {
	Repairs []Repair `json:"repairs,omitempty"`
	Mended  []byte   `json:"mended,omitempty"` // the arguments after mending, where that was done

	checked []byte  // see text; nil: the text of the call
	called  string  // the name in the call; "": that of the tool, if there is one
	tool    *string // the name of the tool, where p has no tool and it may differ from that in the call
	// From JSON, until a registry has admitted it:
	sealed      *sealedBody
	fingerprint string // of the tool that it was prepared for
}

// amend returns what few calls have, for p alone to change.
func (p *prepared) amend() *rare {
	own := rare{}
	if p.rare != nil {
		own = *p.rare
	}
	p.rare = &own
	return p.rare
}

func (p *prepared) repairs() []Repair {
	if p.rare == nil {
		return nil
	}
	return p.rare.Repairs
}

func (p *prepared) mended() []byte {
	if p.rare == nil {
		return nil
	}
	return p.rare.Mended
}

func (p *prepared) sealed() *sealedBody {
	if p.rare == nil {
		return nil
	}
	return p.rare.sealed
}

// name is that of the tool, or what the model wrote where none was found.
func (p *prepared) name() string {
	switch {
	case p.tool != nil:
		return p.tool.Name()
	case p.rare != nil && p.rare.tool != nil:
		return *p.rare.tool
	}
	return p.called()
}

// called is the name in the call.
func (p *prepared) called() string {
	switch {
	case p.rare != nil && p.rare.called != "":
		return p.rare.called
	case p.tool != nil:
		return p.tool.Name()
	}
	return ""
}

// text is the arguments as one JSON value: that of the call, or mended, or "{}".
// Requirement: they were understood.
func (p *prepared) text() []byte {
	if p.rare != nil && p.rare.checked != nil {
		return p.rare.checked
	}
	return scan.Trim([]byte(p.Args))
}

// fingerprint is that of the tool that the call was prepared for, or "" if none was found.
func (p *prepared) fingerprint() string {
	switch {
	case p.tool != nil:
		return p.tool.Fingerprint()
	case p.rare != nil:
		return p.rare.fingerprint
	}
	return ""
}
