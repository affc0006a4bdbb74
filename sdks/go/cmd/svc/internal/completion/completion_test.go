package completion

import (
	"strings"
	"testing"

	"svc.example/go/cmd/svc/internal/cmdline"
)

var root = &cmdline.Command{Name: "svc", Commands: []*cmdline.Command{
	{Name: "show", About: "It's a show: of one", Operands: []cmdline.Operand{{Name: "file"}}, Options: []cmdline.Option{
		{Name: "out", Value: "<path>", About: "where it goes"},
		{Name: "require", Value: "<what>", About: "what has to be", Choices: []string{"included", "anchored"}},
		{Name: "json", About: "as JSON"},
	}},
	{Name: "gone", IsElsewhere: true},
}}

func TestScriptsNameCommandsOptionsAndChoices(t *testing.T) {
	for shell, wanted := range map[string][]string{
		"bash": {
			`"svc show --require") COMPREPLY=($(compgen -W $'included\nanchored'`, `words=$'--out\n--require\n--json\n--help'`,
			`[[ "$current" == -* ]] ||`,
		},
		"zsh":  {`'show:It'\''s a show'`, `compadd -- 'included' 'anchored'; return`, `"svc show") _files; described=(`},
		"fish": {`-a show -d 'It\'s a show'`, `-l require -x -a 'included anchored' -d 'what has to be'`, `-l out -r -F`, `-l json -d`},
	} {
		script, ok := Script(shell, root)
		if !ok || strings.Contains(script, "gone") {
			t.Errorf("%s names what only the npm svc has, or is not known", shell)
		}
		for _, one := range wanted {
			if !strings.Contains(script, one) {
				t.Errorf("%s lacks %s:\n%s", shell, one, script)
			}
		}
	}
	if _, ok := Script("tcsh", root); ok {
		t.Error("tcsh is known")
	}
}
