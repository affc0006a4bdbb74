package client

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"
)

const (
	firstLook   = 100 * time.Millisecond
	longestLook = 5 * time.Second
)

// Exports asks for truth packages, waits for them, downloads them, and reports on them. Nothing here verifies a
// download: [svc.Verify] takes the bytes of a package too.
type Exports struct {
	transport *transport
	receipts  *receipts
}

// Create asks for a package, and only one if the request is repeated under its key. It returns the export, queued.
func (e *Exports) Create(ctx context.Context, input ExportInput, options ...WriteOption) (*ExportInfo, error) {
	w, err := writeOf(options)
	if err != nil {
		return nil, err
	}
	info := new(ExportInfo)
	return orNil(info, e.transport.writeObject(ctx, "/v1/exports", input, w.key, info))
}

// An ExportFilter narrows a list of exports.
type ExportFilter struct {
	PageRequest
	// State is queued, building, ready, failed or deleted.
	State string
}

func (e *Exports) list(f ExportFilter) lister[ExportInfo] {
	query := f.query()
	setText(query, "state", f.State)
	return listOf[ExportInfo](e.transport, "/v1/exports", query)
}

// List lists the exports of the key's system, in the order in which they were made.
func (e *Exports) List(ctx context.Context, filter ExportFilter) iter.Seq2[ExportInfo, error] {
	return e.list(filter).all(ctx, filter.Cursor)
}

// ListPage returns one page of [Exports.List].
func (e *Exports) ListPage(ctx context.Context, filter ExportFilter) (*Page[ExportInfo], error) {
	return e.list(filter).page(ctx, filter.Cursor)
}

// Get returns one export by its export_id.
func (e *Exports) Get(ctx context.Context, exportID string) (*ExportInfo, error) {
	return get[ExportInfo](ctx, e.transport, pathOf("/v1/exports/%s", exportID))
}

// WhenReady waits until the package is built, and returns the export. The error is an [*Error] with the reason why a
// package could not be built, or export_deleted.
func (e *Exports) WhenReady(ctx context.Context, exportID string) (*ExportInfo, error) {
	for wait := firstLook; ; wait = min(2*wait, longestLook) {
		info, err := e.Get(ctx, exportID)
		switch {
		case err != nil:
			return nil, err
		case info.State == "ready":
			return info, nil
		case info.Failure != nil:
			return nil, newError(Code(info.Failure.Code), info.Failure.Message, 200)
		case info.Deletion != nil:
			message := fmt.Sprintf("Export %s is deleted (%s).", exportID, info.Deletion.Because)
			return nil, newError(CodeExportDeleted, message, 200)
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// Delete deletes the package; the service keeps its record of it. Deleting it again changes nothing.
func (e *Exports) Delete(ctx context.Context, exportID string) (*ExportInfo, error) {
	info := new(ExportInfo)
	return orNil(info, e.transport.object(ctx, request{method: http.MethodDelete, path: pathOf("/v1/exports/%s", exportID)}, info))
}

// PrepareDownload returns a ticket for one download, which a browser can use without a key.
func (e *Exports) PrepareDownload(ctx context.Context, exportID string) (*DownloadTicket, error) {
	ticket := new(DownloadTicket)
	path := pathOf("/v1/exports/%s/download/prepare", exportID)
	return orNil(ticket, e.transport.object(ctx, request{method: http.MethodPost, path: path}, ticket))
}

// A Download is a download that has begun. Reading gives the bytes of the package from where it was asked to begin; the
// error is one of the connection if that breaks. Close it.
type Download struct {
	io.ReadCloser
	// AccessID is the id of the access: a report names it.
	AccessID string
	// Challenge is what the proof of a report answers: the SHA-256 over these 64 characters and then all bytes of the
	// package. It is empty if the service gave none.
	Challenge string
	FileName  string
	// SizeBytes is the size of the whole package.
	SizeBytes int64
	// SHA256 is that of the whole package, as the service states it; nothing here compares the bytes with it.
	SHA256 string
}

// Download downloads a package, as a new access with a new ticket. It returns when the answer begins. fromByte is how
// many bytes you have already, from a download that broke off.
func (e *Exports) Download(ctx context.Context, exportID string, fromByte int64) (*Download, error) {
	ticket, err := e.PrepareDownload(ctx, exportID)
	if err != nil {
		return nil, err
	}
	header, status := http.Header{}, http.StatusOK
	if fromByte > 0 {
		status = http.StatusPartialContent
		header.Set("Range", fmt.Sprintf("bytes=%d-", fromByte))
		header.Set("If-Range", `"`+ticket.SHA256+`"`)
	}
	body, err := e.transport.stream(ctx, ticket.Path, header, status)
	if err != nil {
		return nil, err
	}
	challenge := ""
	if ticket.Challenge != nil {
		challenge = *ticket.Challenge
	}
	return &Download{body, ticket.AccessID, challenge, ticket.FileName, ticket.SizeBytes, ticket.SHA256}, nil
}

// ReportVerification tells the service that a package has verified. It records a report that matches its package and
// proves, by Proof, that the reporter holds the package; it refuses all others. The lifecycle event of the record has
// been checked.
func (e *Exports) ReportVerification(ctx context.Context, exportID string, report PackageReport) (*RecordedVerification, error) {
	if report.VerificationReport.Problems == nil {
		report.VerificationReport.Problems = []any{}
	}
	body, err := textOf(report)
	if err != nil {
		return nil, err
	}
	path := pathOf("/v1/exports/%s/truth-package/verify", exportID)
	text, err := e.transport.send(ctx, request{method: http.MethodPost, path: path, body: body})
	if err != nil {
		return nil, err
	}
	return lifecycle[RecordedVerification](ctx, e.receipts, path, text, "truth_package.verified")
}
