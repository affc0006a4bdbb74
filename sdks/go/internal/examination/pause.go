package examination

// A Stopped is what an examination panics with whose context has ended.
type Stopped struct{ Err error }

// Pause ends the examination if its context has ended.
func (e *Exam) Pause() {
	if e.Context == nil {
		return
	}
	if err := e.Context.Err(); err != nil {
		panic(Stopped{err})
	}
}
