package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"svc.example/go/internal/jsonx"
)

// A PageRequest chooses where a list begins; the zero PageRequest is its first page.
type PageRequest struct {
	// Limit is the number of items in a page, 1 to 500; 0 for 50.
	Limit int
	// Cursor is NextCursor of the page before.
	Cursor string
}

func (p PageRequest) query() url.Values {
	values := url.Values{}
	if p.Limit != 0 {
		values.Set("limit", strconv.Itoa(p.Limit))
	}
	setText(values, "cursor", p.Cursor)
	return values
}

func setText(values url.Values, name, text string) {
	if text != "" {
		values.Set(name, text)
	}
}

// A Page is a part of a list.
type Page[T any] struct {
	Items []T
	// NextCursor leads to the next page; empty at the end of the list, and only there. A page before may be empty.
	NextCursor string
}

// A rawPage is a page as it came.
type rawPage struct {
	items      []jsonx.Value
	nextCursor string
	isLast     bool
	answer     []byte
}

// pageOf asks for one page.
func (t *transport) pageOf(ctx context.Context, path string, query url.Values) (*rawPage, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	text, err := t.send(ctx, request{method: http.MethodGet, path: path})
	if err != nil {
		return nil, err
	}
	tree, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	list, cursor := tree.Root().Get("items"), tree.Root().Get("next_cursor")
	page := &rawPage{isLast: cursor.Kind() == jsonx.Null, answer: text}
	page.nextCursor, _ = cursor.Text()
	switch {
	case list.Kind() != jsonx.Array:
		return nil, newError(CodeUnexpectedAnswer, path+" was answered with something without items.", 200)
	case !page.isLast && cursor.Kind() != jsonx.String:
		return nil, newError(CodeUnexpectedAnswer, path+" was answered with a page whose next_cursor leads nowhere.", 200)
	}
	for _, one := range list.Elements() {
		page.items = append(page.items, one)
	}
	return page, nil
}

// A lister gets the page behind a cursor; before is the last item of the page before it, if that is known.
type lister[T any] func(ctx context.Context, cursor string, before *T) (*Page[T], bool, error)

// listOf returns the pages of a path; its items are not checked.
func listOf[T any](t *transport, path string, query url.Values) lister[T] {
	return func(ctx context.Context, cursor string, _ *T) (*Page[T], bool, error) {
		query.Del("cursor")
		setText(query, "cursor", cursor)
		raw, err := t.pageOf(ctx, path, query)
		if err != nil {
			return nil, false, err
		}
		page := &Page[T]{Items: make([]T, len(raw.items)), NextCursor: raw.nextCursor}
		for i, one := range raw.items {
			if err := decode(path, one, &page.Items[i]); err != nil {
				return nil, false, err
			}
		}
		return page, raw.isLast, nil
	}
}

// page returns one page.
func (l lister[T]) page(ctx context.Context, cursor string) (*Page[T], error) {
	page, _, err := l(ctx, cursor, nil)
	return page, err
}

// all yields every item from a cursor on, and keeps one page in memory. The last pair has an error if there is one.
func (l lister[T]) all(ctx context.Context, cursor string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var before *T
		var none T
		// Pages may be empty, so only a list that leads back to one of its pages is known to have no end. The kept cursor is
		// replaced after 1, 2, 4, ... pages (Brent's algorithm), so that a circle of any length is found.
		kept, pages, turn := cursor, 0, 1
		for at := cursor; ; {
			page, isLast, err := l(ctx, at, before)
			if err != nil {
				yield(none, err)
				return
			}
			for _, one := range page.Items {
				if !yield(one, nil) {
					return
				}
			}
			if isLast {
				return
			}
			if page.NextCursor == kept {
				yield(none, newError(CodeUnexpectedAnswer, "The service's list leads back to a page that it led to before.", 200))
				return
			}
			at = page.NextCursor
			if pages++; pages == turn {
				kept, pages, turn = at, 0, 2*turn
			}
			if len(page.Items) > 0 {
				before = &page.Items[len(page.Items)-1]
			}
		}
	}
}

// pathOf returns a path with its parts escaped: each %s stands for one.
func pathOf(format string, parts ...string) string {
	escaped := make([]any, 0, len(parts))
	for _, one := range parts {
		escaped = append(escaped, url.PathEscape(one))
	}
	return fmt.Sprintf(format, escaped...)
}
