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
	// Name is the entry at fault; empty where it IsWhole.
	Name    string
	IsWhole bool
}

// An Entry is one entry; its content is not unpacked yet.
type Entry struct {
	Name    string
	Size    uint32
	version uint16
	method  uint16
	flags   uint16
	attrs   uint32
	crc     uint32
	packed  []byte
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
)

// The codes of faults that are found in more than one place.
const (
	malformed = "archive_malformed"
	tooLarge  = "archive_too_large"
)

var le = binary.LittleEndian

// Read returns the entries in the order of the directory, or every reason to refuse the archive: those of the entries,
// in their order, each code once for a name, and then that of the whole.
func Read(archive []byte) ([]Entry, []Fault) {
	entries, ok := structure(archive)
	if !ok {
		return nil, []Fault{{Code: malformed, IsWhole: true}}
	}
	var faults []Fault
	seen := map[Fault]bool{}
	refuse := func(isFault bool, fault Fault) {
		if isFault && !seen[fault] {
			seen[fault] = true
			faults = append(faults, fault)
		}
	}
	names, total := map[string]bool{}, uint64(0)
	for i := range entries {
		one := &entries[i]
		folded := strings.ToLower(one.Name)
		refuse(!one.isPlain() || names[folded], Fault{Code: malformed, Name: one.Name})
		refuse(!isAllowedPath(one.Name), Fault{Code: "archive_path_forbidden", Name: one.Name})
		refuse(uint64(one.Size) > tables.MaxExpansionRatio*uint64(len(one.packed)), Fault{Code: tooLarge, Name: one.Name})
		names[folded] = true
		total += uint64(one.Size)
	}
	refuse(total > tables.MaxExpandedBytes, Fault{Code: tooLarge, IsWhole: true})
	if len(faults) > 0 {
		return nil, faults
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
			Name: string(name), Size: le.Uint32(head[24:]), version: le.Uint16(head[6:]), method: le.Uint16(head[10:]),
			flags: le.Uint16(head[8:]), attrs: le.Uint32(head[38:]), crc: le.Uint32(head[16:]),
		}
		packed, after, ok := local(archive[:begin], next, head, name)
		if !ok || !isASCII(name) {
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

// isPlain says whether an entry is a file, not encrypted, and of a version and a method that may be here.
func (one *Entry) isPlain() bool {
	if one.version > latestVersion {
		return false
	}
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
