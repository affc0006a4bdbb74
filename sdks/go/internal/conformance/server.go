// Package conformance answers the requests of docs/conformance.md, by which implementations are held to the same cases.
package conformance

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
)

// maxLine is the length of the longest request in bytes, without its newline.
const maxLine = 32 << 20

// A Server answers requests with one kernel. The zero Version is no release.
type Server struct {
	// Implementation and Version are what `hello` answers.
	Implementation, Version string
	Kernel                  kernel.Kernel
}

// ErrInput says that the requests cannot be read.
var ErrInput = errors.New("conformance: the requests cannot be read")

// Serve answers each line of in by a line on out before it reads the next, until the input ends. It returns an error
// that is [ErrInput], or one of out.
func (s *Server) Serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		line, isTooLong, err := readLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%w: %w", ErrInput, err)
		}
		isEnd := err != nil
		if isEnd && len(line) == 0 && !isTooLong {
			return nil
		}
		answer := refused("request_too_large", "a request has at most 32 MiB")
		if !isTooLong {
			answer = s.Answer(line)
		}
		if _, err := out.Write(append(answer, '\n')); err != nil {
			return err
		}
		if isEnd {
			return nil
		}
	}
}

// readLine reads up to a newline or the end, which is io.EOF. It keeps nothing of a line that is too long.
func readLine(in *bufio.Reader) (line []byte, isTooLong bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if err == nil {
			piece = piece[:len(piece)-1]
		}
		if isTooLong = isTooLong || len(line)+len(piece) > maxLine; isTooLong {
			line = nil
		} else {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, isTooLong, err
		}
	}
}

// Answer returns the answer to one request, without a newline. It never panics.
func (s *Server) Answer(line []byte) []byte {
	tree, err := s.parse(line)
	if err != nil {
		return encode(jsonx.Members{{Name: "id", Value: nil}}, err)
	}
	request := tree.Root()
	id := jsonx.Members{{Name: "id", Value: nil}}
	if given := request.Get("id"); given.Exists() {
		id[0].Value = given
	}
	return encode(id, s.answer(request))
}

func (s *Server) parse(line []byte) (tree *jsonx.Tree, failure jsonx.Members) {
	defer func() { failure = orFailure(failure, recover()) }()
	tree, err := s.Kernel.ParseJSON(line, jsonx.Limits{})
	if err != nil {
		return nil, syntax(err)
	}
	return tree, nil
}

func (s *Server) answer(request jsonx.Value) (answer jsonx.Members) {
	defer func() { answer = orFailure(answer, recover()) }()
	if request.Kind() != jsonx.Object {
		refuse("malformed_request", "a request is an object")
	}
	if !request.Get("id").Exists() {
		refuse("malformed_request", "a request has an id")
	}
	name, ok := request.Get("op").Text()
	if !ok {
		refuse("malformed_request", "op is a text")
	}
	operation, known := operationOf(name)
	if !known {
		refuse("unsupported_op", "no operation "+name)
	}
	call := &Call{Server: s, members: request.MemberMap()}
	call.close(operation, "id", "op")
	return operation.answer(call)
}

// orFailure returns the answer, or that to a panic.
func orFailure(answer jsonx.Members, panicked any) jsonx.Members {
	switch cause := panicked.(type) {
	case nil:
		return answer
	case *refusal:
		return cause.answer
	default:
		return failed("internal_error", fmt.Sprint(cause))
	}
}

// encode returns an answer with its id.
func encode(id, answer jsonx.Members) []byte {
	line, err := jsonx.Encode(append(id, answer...))
	if err != nil {
		return refused("internal_error", err.Error())
	}
	return line
}

func refused(code, message string) []byte {
	return encode(jsonx.Members{{Name: "id", Value: nil}}, failed(code, message))
}
