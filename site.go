package jig

import (
	"path/filepath"
	"runtime"
	"strconv"
)

// A site is a place in the program, as an address: hardly anybody asks for its file and line. The zero site
// is none.
type site uintptr

// callSite returns where the caller was called, skip frames above the function that asks.
func callSite(skip int) site {
	var pc [1]uintptr
	runtime.Callers(skip+2, pc[:])
	return site(pc[0])
}

// String returns the file, with its folder, and the line: enough to find it, and nothing about the machine.
func (s site) String() string {
	if s == 0 {
		return ""
	}
	frame, _ := runtime.CallersFrames([]uintptr{uintptr(s)}).Next()
	if frame.File == "" {
		return "unknown"
	}
	dir, base := filepath.Split(frame.File)
	return filepath.Base(dir) + "/" + base + ":" + strconv.Itoa(frame.Line)
}
