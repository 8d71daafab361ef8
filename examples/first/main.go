package main

import (
	"context"
	"fmt"

	"github.com/jig-go/jig"
)

type parcel struct {
	Grams   int    `json:"grams" jsonschema:"minimum=1,maximum=31500"`
	Country string `json:"country" jsonschema:"enum=DE,enum=FR,enum=PL"`
}

func main() {
	tool := jig.MustDefine(jig.Spec[parcel, int]{
		Name: "parcel_price", Effect: jig.EffectRead,
		Description: "Returns the price of sending one parcel, in cents.",
		Execute: func(_ context.Context, p parcel) (int, error) {
			return map[string]int{"DE": 490, "FR": 890, "PL": 790}[p.Country] + p.Grams/10, nil
		},
	})
	fmt.Printf("%s\n", tool.InputSchema().JSON())
	fmt.Println(tool.Call(context.Background(), []byte(`{"grams":2400,"country":"FR"}`)).Text())
}
