package jig_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jig-go/jig"
)

// prompt is an Approver that stands for a person at a terminal, who agrees to small things only.
type prompt struct{}

func (prompt) Approve(_ context.Context, r jig.ApprovalRequest) jig.Decision {
	fmt.Printf("May %s run with %s? %s (%s)\n", r.Tool.Name(), r.Args, r.Preview, r.Reason)
	if r.Preview == "Deletes 3 files." {
		return jig.Allow()
	}
	return jig.Deny("the user wants to keep these files")
}

// CautiousPolicy sends to a person what deletes, what reaches other people, and what does not say.
func ExampleCautiousPolicy() {
	type deleteArgs struct {
		Dir string `json:"dir"`
	}
	files := map[string]int{"cache": 3, "photos": 4210}
	deleteDir := jig.MustDefine(jig.Spec[deleteArgs, string]{
		Name: "delete_dir", Description: "Delete a folder that the user named.",
		Effect: jig.EffectDestructive,
		Preview: func(_ context.Context, args deleteArgs) (string, error) {
			return fmt.Sprintf("Deletes %d files.", files[args.Dir]), nil
		},
		Execute: func(_ context.Context, args deleteArgs) (string, error) { return "deleted " + args.Dir, nil },
	})
	call := func(tools *jig.Registry, dir string) {
		args, _ := json.Marshal(deleteArgs{dir})
		outcome := tools.Call(context.Background(), jig.Call{ID: "1", Name: "delete_dir", Args: args})
		fmt.Printf("%s: %s\n", outcome.Status, outcome.Text())
	}

	// readme: start
	tools := jig.NewRegistry(&jig.Options{
		Policy:   jig.CautiousPolicy, // asks for what deletes, reaches other people, or does not say
		Approver: prompt{},           // asks the user; without an Approver such calls are denied
	})
	// readme: end
	if err := tools.Add(deleteDir); err != nil {
		panic(err)
	}
	call(tools, "cache")
	call(tools, "photos")
	call(tools.With(&jig.Options{Policy: jig.CautiousPolicy}), "cache")
	// Output:
	// May delete_dir run with {"dir":"cache"}? Deletes 3 files. (the effect of delete_dir is destructive)
	// ok: deleted cache
	// May delete_dir run with {"dir":"photos"}? Deletes 4210 files. (the effect of delete_dir is destructive)
	// denied: delete_dir was not allowed to run: the user wants to keep these files
	// denied: delete_dir needs the approval of a person, and nobody can be asked here. It was not run. Do not call it again; tell the user.
}

// Policies compose: all of them have to agree.
func ExampleAllOf() {
	policy := jig.AllOf(
		jig.CautiousPolicy,
		jig.When(jig.HasTag("money"), jig.Ask().Because("it moves money")),
		jig.When(jig.HasName("drop_table"), jig.Deny("tables are dropped by hand")),
		func(_ context.Context, r jig.PolicyRequest) jig.Decision {
			if r.Caller.TenantID == "trial" && !jig.ReadOnly(r.Tool) {
				return jig.Deny("a trial account may only read")
			}
			return jig.Allow()
		},
	)
	for _, tool := range []*jig.Tool{
		kindOf("look_up", jig.EffectRead, jig.ApprovalUnset),
		kindOf("refund", jig.EffectWrite, jig.ApprovalUnset, "money"),
		kindOf("drop_table", jig.EffectDestructive, jig.ApprovalUnset),
	} {
		fmt.Println(tool.Name(), policy(context.Background(), jig.PolicyRequest{Tool: tool}))
	}
	// Output:
	// look_up allow
	// refund ask
	// drop_table deny
}
