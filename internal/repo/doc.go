// Package repo holds the rules of the repository as tests.
//
// It has no code of its own. A rule is a test here when a reviewer would otherwise have to remember
// it: what the exported names are, which modules the core may need, that each rule of behaviour has
// a test, that README shows code which runs. The goldens that may be regenerated, api.txt and
// testdata/gomods.txt, are rewritten by:
//
//	go test ./internal/repo -update
package repo
