module github.com/jig-go/jig/internal/bench/measure

go 1.26
