// Command first is the first tool of README: it defines one tool, prints the schema of its
// arguments, runs one call and prints what a model would read.
package main
