package trustfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// newFileMode lets only its owner read a new file: it says whom a person trusts.
const newFileMode = 0o600

// placeToWrite returns the real place of a file: it follows a symbolic link, so that the file is replaced and not the
// link. It makes the folder of a new file.
func placeToWrite(path string) (string, error) {
	place, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return "", err
	}
	return filepath.Abs(place)
}

// replaceFile puts text in the place of a file as a whole: a reader, even after a crash, finds the old content or the
// new one and never a part. The file keeps its mode. The caller holds the lock.
func replaceFile(path string, text []byte) (err error) {
	mode := fs.FileMode(newFileMode)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	temporary := path + ".tmp"
	// Under the lock nobody else writes it: an existing one was left by a crash.
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temporary)
		}
	}()
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, newFileMode)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}
