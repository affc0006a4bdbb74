// Package render writes a report as people read it in a terminal: the page that the command svc prints. Every text of
// the report and of the file is escaped, so that nothing in it can move the cursor, hide or reverse the reading.
package render
