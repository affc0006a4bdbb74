package examine

// provenancePart examines what a bundle of envelopes has more than others.
func (e *exam) provenancePart(b *bundle) {}
