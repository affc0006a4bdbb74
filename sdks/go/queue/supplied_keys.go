package queue

import "errors"

// suppliedKeys are the keys that a program gave its events, so that the same event is not put into a queue twice.
type suppliedKeys struct {
	// kept are those in the spool, and order has them, the oldest first.
	kept  map[string]bool
	order []string
	// coming are those of events that are being put into the spool; the channel is closed when that has ended.
	coming map[string]chan struct{}
}

var errBadKey = errors.New("queue: a key is 1 to 255 visible ASCII characters")

func isKey(key string) bool {
	for i := range len(key) {
		if key[i] < '!' || '~' < key[i] {
			return false
		}
	}
	return len(key) >= 1 && len(key) <= 255
}

func newGivenKeys(keys []string) *suppliedKeys {
	k := &suppliedKeys{kept: map[string]bool{}, coming: map[string]chan struct{}{}}
	k.note(keys)
	return k
}

// take takes a key for an event that is being put into the spool.
func (k *suppliedKeys) take(key string) error {
	if k.kept[key] {
		return newError(CodeKeyTaken, nil, "The event with the key %s is in the queue already, or has left it.", key)
	}
	k.coming[key] = make(chan struct{})
	return nil
}

// end says that an event is in the spool, or could not be put there: its key is free again then.
func (k *suppliedKeys) end(key string) {
	if coming := k.coming[key]; coming != nil {
		close(coming)
		delete(k.coming, key)
	}
}

// note remembers the keys of events that are in the spool.
func (k *suppliedKeys) note(keys []string) {
	for _, key := range keys {
		if !k.kept[key] {
			k.kept[key] = true
			k.order = append(k.order, key)
		}
	}
	for len(k.order) > KeptKeys {
		delete(k.kept, k.order[0])
		k.order = k.order[1:]
	}
}
