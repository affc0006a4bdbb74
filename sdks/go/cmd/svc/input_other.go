//go:build !unix

package main

import "os"

// openInput opens a file. The names of pipes that wait for a writer are no paths of files here.
func openInput(path string) (*os.File, error) { return os.Open(path) }
