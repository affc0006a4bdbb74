//go:build !unix

package main

// keepOnBrokenPipe does nothing: no signal ends a program here that writes to a pipe without a reader.
func keepOnBrokenPipe() {}
