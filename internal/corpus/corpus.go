// Package corpus reads the recorded corpus for tests: real tool definitions, and calls that models
// made. It is no part of the repository; the variable JIG_CORPUS names its folder.
package corpus

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 16 << 20

// printed holds the files whose size was printed, which is shown without -v too.
var printed sync.Map

// Folder returns the folder of the corpus. Where there is none it skips the test, or under CI fails
// it.
func Folder(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("JIG_CORPUS")
	if folder == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("CI needs JIG_CORPUS")
		}
		t.Skip("JIG_CORPUS is not set")
	}
	return folder
}

// Recorded returns the names of the files with what real clients sent and real models answered.
func Recorded(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(Folder(t), "recorded-*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("recorded-*.jsonl: %d files, %v", len(paths), err)
	}
	for i, path := range paths {
		paths[i] = filepath.Base(path)
	}
	return paths
}

// Rows reads one file of the corpus, an object a line, and says how many there were.
func Rows[Row any](t testing.TB, file string) (rows []Row) {
	t.Helper()
	f, err := os.Open(filepath.Join(Folder(t), file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var row Row
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: row %d: %v", file, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows read, %v", file, len(rows), err)
	}
	t.Logf("%s: %d rows read", file, len(rows))
	if _, before := printed.LoadOrStore(file, true); !before {
		fmt.Printf("corpus: %s: %d rows read\n", file, len(rows))
	}
	return rows
}
