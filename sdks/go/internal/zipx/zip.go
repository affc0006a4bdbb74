// Package zipx reads ZIP archives as strictly as protocol section 15 demands: every byte belongs to exactly one record,
// and a reader that follows the local headers sees what one that follows the directory sees. It writes no file.
package zipx

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"

	"svc.example/go/internal/tables"
)

// A Fault says why an archive is refused.
type Fault struct {
	// Code is archive_malformed, archive_path_forbidden or archive_too_large.
	Code string
	// Name is the entry at fault; empty for the whole archive.
	Name    string
	IsWhole bool
}

// An Entry is one entry; its content is not unpacked yet.
type Entry struct {
	Name   string
	Size   uint32
	method uint16
	flags  uint16
	host   byte
	attrs  uint32
	crc    uint32
	packed []byte
}

// An Inflater is the part of a kernel that unpacks.
type Inflater interface {
	Inflate(packed []byte, size uint32, take func(piece []byte)) (ok bool)
}

const (
	endSignature     = 0x06054b50
	centralSignature = 0x02014b50
	localSignature   = 0x04034b50
	endBytes         = 22
	centralBytes     = 46
	localBytes       = 30
	stored           = 0
	deflated         = 8
	flagUTF8         = 1 << 11
	flagsOfDeflate   = 1<<1 | 1<<2
	latestVersion    = 20
	unix             = 3
)

var le = binary.LittleEndian

// Read returns the entries in the order of the directory, or the first reason to refuse the archive.
func Read(archive []byte) ([]Entry, *Fault) {
	entries, ok := structure(archive)
	if !ok {
		return nil, &Fault{Code: "archive_malformed", IsWhole: true}
	}
	for _, rule := range []struct {
		code  string
		holds func(one *Entry) bool
	}{
		{"archive_malformed", (*Entry).isPlain},
		{"archive_malformed", newNames().isNew},
		{"archive_path_forbidden", func(one *Entry) bool { return isAllowedPath(one.Name) }},
		{"archive_too_large", newSizes().fits},
	} {
		for i := range entries {
			if !rule.holds(&entries[i]) {
				return nil, &Fault{Code: rule.code, Name: entries[i].Name}
			}
		}
	}
	return entries, nil
}

// structure reads the directory and the local headers, which must agree and fill the archive.
func structure(archive []byte) (entries []Entry, ok bool) {
	at := len(archive) - endBytes
	if at < 0 || le.Uint32(archive[at:]) != endSignature {
		return nil, false
	}
	end := archive[at:]
	count, size, begin := le.Uint16(end[10:]), le.Uint32(end[12:]), le.Uint32(end[16:])
	if le.Uint32(end[4:]) != 0 || le.Uint16(end[8:]) != count || count == 0xffff || le.Uint16(end[20:]) != 0 ||
		uint64(begin)+uint64(size) != uint64(at) {
		return nil, false
	}
	directory := archive[begin:at]
	next := uint32(0)
	for range count {
		if len(directory) < centralBytes || le.Uint32(directory) != centralSignature {
			return nil, false
		}
		head := directory[:centralBytes]
		nameEnd := centralBytes + int(le.Uint16(head[28:]))
		// No extra field, no comment, the first disk.
		if len(directory) < nameEnd || le.Uint32(head[30:]) != 0 || le.Uint16(head[34:]) != 0 || le.Uint32(head[42:]) != next {
			return nil, false
		}
		name := directory[centralBytes:nameEnd]
		directory = directory[nameEnd:]
		one := Entry{
			Name: string(name), Size: le.Uint32(head[24:]), method: le.Uint16(head[10:]), flags: le.Uint16(head[8:]),
			host: head[5], attrs: le.Uint32(head[38:]), crc: le.Uint32(head[16:]),
		}
		packed, after, ok := local(archive[:begin], next, head, name)
		if !ok || !isASCII(name) || le.Uint16(head[6:]) > latestVersion {
			return nil, false
		}
		one.packed, next = packed, after
		entries = append(entries, one)
	}
	return entries, len(directory) == 0 && next == begin
}

// local reads a local header, which must state what the directory does; it returns the packed bytes and what follows.
func local(files []byte, at uint32, head, name []byte) (packed []byte, next uint32, ok bool) {
	if uint64(len(files)) < uint64(at)+localBytes {
		return nil, 0, false
	}
	own := files[at:]
	size := le.Uint32(head[20:])
	total := localBytes + uint64(len(name)) + uint64(size)
	if le.Uint32(own) != localSignature || uint64(len(own)) < total || le.Uint16(own[28:]) != 0 ||
		!bytes.Equal(own[4:28], head[6:30]) || !bytes.Equal(own[localBytes:localBytes+len(name)], name) ||
		size == 0xffffffff || le.Uint32(head[24:]) == 0xffffffff {
		return nil, 0, false
	}
	return own[localBytes+len(name) : total], at + uint32(total), true
}

func isASCII(name []byte) bool {
	for _, c := range name {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}

// isPlain says whether an entry is a file, not encrypted, and of a method that may stand here.
func (one *Entry) isPlain() bool {
	allowed := uint16(flagUTF8)
	switch one.method {
	case stored:
		if uint64(len(one.packed)) != uint64(one.Size) {
			return false
		}
	case deflated:
		allowed |= flagsOfDeflate
	default:
		return false
	}
	const label, folder, device, reparsePoint = 0x08, 0x10, 0x40, 0x400
	mode := one.attrs >> 28
	isFile := mode == 0 || mode == 8
	return one.flags&^allowed == 0 && one.attrs&(label|folder|device|reparsePoint) == 0 && isFile && !strings.HasSuffix(one.Name, "/")
}

type names struct{ seen map[string]bool }

func newNames() *names { return &names{map[string]bool{}} }

// isNew says whether no entry before has the name, but for the case of letters.
func (n *names) isNew(one *Entry) bool {
	name := strings.ToLower(one.Name)
	isNew := !n.seen[name]
	n.seen[name] = true
	return isNew
}

type sizes struct{ total uint64 }

func newSizes() *sizes { return &sizes{} }

// fits says whether an entry declares no more than its packed bytes and the whole allow.
func (s *sizes) fits(one *Entry) bool {
	s.total += uint64(one.Size)
	return uint64(one.Size) <= tables.MaxExpansionRatio*uint64(len(one.packed)) && s.total <= tables.MaxExpandedBytes
}

// Content unpacks an entry. ok is false for a content that is not as declared.
func (one *Entry) Content(k Inflater) (content []byte, ok bool) {
	if one.method == stored {
		content = one.packed
	} else {
		content = make([]byte, 0, one.Size)
		if !k.Inflate(one.packed, one.Size, func(piece []byte) { content = append(content, piece...) }) {
			return nil, false
		}
	}
	return content, uint64(len(content)) == uint64(one.Size) && crc32.ChecksumIEEE(content) == one.crc
}
