package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"svc.example/go"
	"svc.example/go/client"
	"svc.example/go/svctest"
)

func decided(ref string) client.EventInput {
	return client.EventInput{
		SourceRef: ref, EventType: "loan.decided", OccurredAt: "2026-03-01T09:30:00+01:00",
		Payload: map[string]any{"amount": 12500, "approved": true},
	}
}

// TestStory records, reads again, proves and exports with the real service.
func TestStory(t *testing.T) {
	ctx := context.Background()
	service := svctest.Start(t)
	c := service.Client()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	stream := c.Stream(service.StreamID)
	receipt, err := stream.Append(ctx, decided("loan-1"))
	must(err)
	saved, err := json.Marshal(receipt)
	must(err)
	if r, err := svc.VerifyBytes(ctx, saved, svc.Options{Trust: service.Trust}); err != nil || receipt.SeqNo != 1 {
		t.Fatalf("the saved receipt: %v %v", r, err)
	}
	batch, err := stream.AppendBatch(ctx, []client.EventInput{decided("loan-2"), decided("loan-3")})
	must(err)
	if batch[1].SeqNo != 3 || batch[0].PreviousEventHash != receipt.EventHash {
		t.Fatalf("the batch: %+v", batch)
	}
	again, err := stream.Append(ctx, decided("loan-4"), client.WithIdempotencyKey("loan-4"))
	must(err)
	same, err := stream.Append(ctx, decided("loan-4"), client.WithIdempotencyKey("loan-4"))
	must(err)
	if again.EventHash != same.EventHash {
		t.Fatal("the same key has recorded an event twice")
	}

	var refs []string
	for event, err := range stream.Events(ctx, client.EventFilter{PageRequest: client.PageRequest{Limit: 2}}) {
		must(err)
		refs = append(refs, event.SourceRef)
	}
	if len(refs) != 4 || refs[3] != "loan-4" {
		t.Fatalf("the events: %q", refs)
	}
	head, err := stream.Head(ctx)
	must(err)
	stored, err := c.Receipt(ctx, receipt.StreamEventID)
	must(err)
	if head.SeqNo != 4 || stored.EventHash != receipt.EventHash {
		t.Fatalf("the head %+v and a receipt %+v", head, stored)
	}

	pack, err := c.AuditPackBytes(ctx, client.AuditPackInput{StreamID: service.StreamID, FromSeqNo: 1, ToSeqNo: 4})
	must(err)
	_, err = svc.VerifyBytes(ctx, pack, svc.Options{Trust: service.Trust})
	must(err)
	online, err := c.VerifyOnline(ctx, pack)
	must(err)
	if !online.OK {
		t.Fatalf("the service says of its pack: %+v", online.Problems)
	}
	var checkpoints int
	for checkpoint, err := range stream.Checkpoints(ctx, client.PageRequest{}) {
		must(err)
		one, err := c.Checkpoint(ctx, checkpoint.CheckpointID)
		must(err)
		if one.CheckpointRoot != checkpoint.CheckpointRoot {
			t.Fatal("two checkpoints under one id")
		}
		checkpoints++
	}
	if checkpoints == 0 {
		t.Fatal("no checkpoint")
	}

	eraser, err := client.New(client.Options{BaseURL: service.URL, APIKey: service.EraseKey, Trust: service.Trust})
	must(err)
	if erasure, err := eraser.Stream(service.StreamID).Erase(ctx, receipt.StreamEventID, "the retention period is over"); err != nil || erasure.SeqNo != 1 {
		t.Fatal(erasure, err)
	}

	info, err := c.Exports().Create(ctx, client.ExportInput{Streams: []string{service.StreamID}, FromSeqNo: 2, ToSeqNo: 4})
	must(err)
	info, err = c.Exports().WhenReady(ctx, info.ExportID)
	must(err)
	download, err := c.Exports().Download(ctx, info.ExportID, 0)
	must(err)
	archive, err := io.ReadAll(download)
	must(err)
	must(download.Close())
	_, err = svc.VerifyBytes(ctx, archive, svc.Options{Trust: service.Trust})
	must(err)

	logged, err := c.Log().Append(ctx, client.LogInput{
		Type: "login", Status: "granted", OccurredAt: "2026-03-01T09:30:00Z", SourceRef: "session-1", Payload: map[string]int{"attempts": 1},
	})
	must(err)
	proof, err := c.Log().ProofBytes(ctx, logged.StreamEventID)
	must(err)
	_, err = svc.VerifyBytes(ctx, proof, svc.Options{Trust: service.Trust})
	must(err)

	// After a rotation the new key is endorsed by the pinned one.
	service.RotateKey()
	later, err := stream.Append(ctx, decided("loan-5"))
	must(err)
	if later.Receipt.Kid == receipt.Receipt.Kid {
		t.Fatal("the key was not rotated")
	}

	var refused *client.Error
	_, err = stream.Append(ctx, client.EventInput{SourceRef: "loan-6", EventType: "loan.decided", OccurredAt: "yesterday", Payload: map[string]any{}})
	if !errors.As(err, &refused) || refused.Code != client.CodeInvalidRequest || refused.Status != 422 || refused.Retryable || refused.IdempotencyKey == "" {
		t.Fatalf("a refusal: %#v", err)
	}
	stranger, err := svc.PinKeys("3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29")
	must(err)
	other, err := client.New(client.Options{BaseURL: service.URL, APIKey: service.APIKey, Trust: stranger})
	must(err)
	var false_ *client.VerificationError
	if _, err = other.Stream(service.StreamID).Append(ctx, decided("loan-7")); !errors.As(err, &false_) || false_.Code != "key_not_pinned" || false_.Report == nil {
		t.Fatalf("a client that pins another key: %v", err)
	}
}
