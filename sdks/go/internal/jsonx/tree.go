package jsonx

// A node is one value, or one member name. The nodes of a tree are in the order of the text: behind an array its
// elements, behind an object each name and then its value.
type node struct {
	// start and end are the part of the canonical bytes; for a string with its quotes.
	start, end uint32
	// next is the index of the node behind the last one inside of this node.
	next uint32
	// count holds the number of elements or members of an array or object, and flags of any other node.
	count uint32
}

// Flags in the count of a string or number. A finished tree has only isEscaped.
const (
	// isEscaped marks a string whose canonical text has a backslash.
	isEscaped = 1 << iota
	// isRewritten marks a literal whose canonical text is in parser.rewritten.
	isRewritten
)

// A Tree is an accepted JSON text. It is safe for concurrent use. It holds the bytes that were given to [Parse], which
// must not change while the tree is in use.
type Tree struct {
	canonical []byte
	nodes     []node
	depth     int
	isWire    bool
}

// Root returns the value of the text.
func (t *Tree) Root() Value { return Value{t, 0} }

// Canonical returns J of the value, in UTF-8: the given bytes themselves if [Tree.WireIsCanonical]. Do not change it.
func (t *Tree) Canonical() []byte { return t.canonical }

// WireIsCanonical says whether the given bytes were canonical.
func (t *Tree) WireIsCanonical() bool { return t.isWire }

// Depth returns the number of arrays and objects that are open at the deepest place: 0 to 64.
func (t *Tree) Depth() int { return t.depth }
