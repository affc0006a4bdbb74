// Command hello prints a line: the least that a process in Go takes.
package main

import "fmt"

func main() { fmt.Println("hello") }
