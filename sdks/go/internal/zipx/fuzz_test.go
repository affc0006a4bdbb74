package zipx

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"
	"testing"

	"svc.example/go/internal/kernel"
)

// packed returns an archive as this package wants it: sizes are in front of contents.
func packed(f *testing.F, method uint16, names ...string) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range names {
		content := bytes.Repeat([]byte(name), 20)
		stored := content
		if method == zip.Deflate {
			var deflated bytes.Buffer
			d, err := flate.NewWriter(&deflated, flate.BestCompression)
			if err != nil {
				f.Fatal(err)
			}
			d.Write(content)
			d.Close()
			stored = deflated.Bytes()
		}
		entry, err := w.CreateRaw(&zip.FileHeader{
			Name: name, Method: method, CRC32: crc32.ChecksumIEEE(content), CreatorVersion: 20, ReaderVersion: 20,
			CompressedSize64: uint64(len(stored)), UncompressedSize64: uint64(len(content)),
		})
		if err != nil {
			f.Fatal(err)
		}
		entry.Write(stored)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	return out.Bytes()
}

// FuzzRead holds the reader to archive/zip, which is laxer: what is accepted has the same names and contents there.
func FuzzRead(f *testing.F) {
	good := packed(f, zip.Store, "manifest.json", "records/a.csv")
	if entries, faults := Read(good); faults != nil || len(entries) != 2 {
		f.Fatalf("a good archive: %+v", faults)
	}
	f.Add(good)
	f.Add(packed(f, zip.Deflate, "manifest.json", "README.txt"))
	f.Add(packed(f, zip.Store))
	f.Add(packed(f, zip.Store, "../a", "B", "b"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		entries, faults := Read(archive)
		if faults != nil {
			if entries != nil || faults[0].Code == "" {
				t.Fatalf("%+v", faults)
			}
			return
		}
		others, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil || len(others.File) != len(entries) {
			t.Fatalf("accepted, but archive/zip: %v", err)
		}
		for i := range entries {
			one, other := &entries[i], others.File[i]
			if one.Name != other.Name || uint64(one.Size) != other.UncompressedSize64 {
				t.Fatalf("entry %d: %q of %d bytes, and %q of %d", i, one.Name, one.Size, other.Name, other.UncompressedSize64)
			}
			content, ok := one.Content(kernel.Native)
			if !ok {
				continue
			}
			in, err := other.Open()
			if err != nil {
				t.Fatalf("entry %q: %v", one.Name, err)
			}
			if theirs, err := io.ReadAll(in); err != nil || !bytes.Equal(content, theirs) {
				t.Fatalf("entry %q: another content: %v", one.Name, err)
			}
		}
	})
}
