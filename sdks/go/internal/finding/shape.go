package finding

import (
	"strconv"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// namesOfVersion are members whose only allowed values say which protocol an object follows: another text there is no
// object of this protocol.
var namesOfVersion = []string{"/protocol", "/alg", "/format", "/version", "/attestationKind", "/schema"}

// Shape returns the faults of members and forms of a value by the schema of a name. So many workers look for them.
func Shape(name string, value jsonx.Value, workers int) []Finding {
	faults := schema.Check(tables.SchemaOf(name), value, workers)
	seen := make(map[string]bool, len(faults))
	findings := make([]Finding, 0, len(faults))
	for _, fault := range faults {
		one := findingOf(fault)
		if key := string(one.Code) + " " + one.Path; !seen[key] {
			seen[key] = true
			findings = append(findings, one)
		}
	}
	return findings
}

func findingOf(fault schema.Fault) Finding {
	found := Finding{Code: report.CodeMalformed, Path: fault.Path, Message: "The value does not have the form that the protocol demands."}
	isOfVersion := false
	for _, name := range namesOfVersion {
		isOfVersion = isOfVersion || strings.HasSuffix(fault.Path, name)
	}
	switch fault.Keyword {
	case schema.Missing:
		found.Code, found.Message = report.CodeMissingMember, "The member "+memberOf(fault.Path)+" is missing."
	case schema.Unknown:
		found.Code, found.Message = report.CodeUnknownMember, "The protocol names no member "+memberOf(fault.Path)+" here."
	case schema.Const:
		if isOfVersion {
			found.Code = report.CodeUnsupportedObject
		}
	case schema.Enum:
		if isOfVersion && fault.Value.Kind() == jsonx.String {
			found.Code = report.CodeUnsupportedObject
		}
	}
	if isInMetadata(fault.Path) && (found.Code != report.CodeMissingMember || !strings.HasSuffix(fault.Path, "/metadata")) {
		found.Code = report.CodeProvenanceMetadataNotPermitted
	}
	if fault.Value.Exists() {
		found.Actual = shown(fault.Value)
	}
	return found
}

// memberOf returns the name at the end of a JSON Pointer, in quotes.
func memberOf(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return strconv.Quote(strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
}

// isInMetadata says whether a path is in the metadata of an envelope's content, wherever the content stands.
func isInMetadata(path string) bool {
	parts := strings.Split(path, "/")
	for i := 2; i < len(parts); i++ {
		if parts[i] == "metadata" && (parts[i-1] == "content" || (i == 3 && parts[1] == "contents")) {
			return true
		}
	}
	return false
}

func shown(value jsonx.Value) string {
	switch value.Kind() {
	case jsonx.Array:
		return "a list"
	case jsonx.Object:
		return "an object"
	default:
		return values.Cut(string(value.Canonical()), tables.ShownValueUTF16Units)
	}
}

// DeepPayloads returns a finding for each payload that nests deeper than 32, under any member called payload.
func DeepPayloads(tree *jsonx.Tree) []Finding {
	if tree.Depth() <= tables.MaxPayloadDepth {
		return nil
	}
	return DeepPayloadsOf(tree.Root())
}

// DeepPayloadsOf returns the same of a value, with paths from it on.
func DeepPayloadsOf(value jsonx.Value) []Finding {
	var findings []Finding
	var walk func(value jsonx.Value, path string)
	walk = func(value jsonx.Value, path string) {
		for index, one := range value.Elements() {
			walk(one, values.At(path, index))
		}
		for name, member := range value.Members() {
			label, _ := name.Text()
			below := path + "/" + schema.Escape(label)
			if label != "payload" {
				walk(member, below)
			} else if member.Depth() > tables.MaxPayloadDepth {
				findings = append(findings, Finding{
					Code: report.CodeTooDeep, Path: below, Message: "A payload nests deeper than 32.",
				})
			}
		}
	}
	walk(value, "")
	return findings
}
