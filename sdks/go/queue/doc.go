// Package queue records events of one stream later, in the order in which they were given (docs/append-queue.md).
//
// [Queue.Append] returns when the event is in a local spool; the queue sends what waits there in batches, until the
// service has signed a receipt for each. An event in a [FileSpool] outlives the process and the machine's power. The
// files of the spool are those of the other SDKs: a spool left by one is opened by another.
package queue
