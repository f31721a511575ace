// Command oapi_pay pays with the client that oapi-codegen makes.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"clients/oapi"
)

const amount = 8_500_000.75

func client(address string) *oapi.ClientWithResponses {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		return nil
	}
	result, err := oapi.NewClientWithResponses(os.Getenv(address), oapi.WithRequestEditorFn(key))
	return done(result, err)
}

func check(holds bool) {
	if !holds {
		panic("a check failed")
	}
}

// done returns a call's answer, and panics on an error.
func done[T any](answer *T, err error) *T {
	if err != nil {
		panic(err)
	}
	return answer
}

func main() {
	ctx := context.Background()
	payments := client("BASE_URL")
	order := oapi.InitializeCheckoutRequest{Amount: amount, PayerEmail: "tunde.bakare@example.com"}
	opened := done(payments.InitializeCheckoutWithResponse(ctx, nil, order))
	check(opened.JSON201 != nil)
	reference := opened.JSON201.Data.Reference
	simulation := oapi.SimulateCheckoutPaymentRequest{Reference: reference}
	check(done(payments.SimulateCheckoutPaymentWithResponse(ctx, nil, simulation)).JSON200 != nil)
	checkout := done(payments.VerifyCheckoutWithResponse(ctx, reference)).JSON200.Data
	check(checkout.Amount == amount && checkout.PaidAmount == amount)
	fmt.Printf("%s %.2f\n", checkout.Status, checkout.PaidAmount)

	again := done(payments.SimulateCheckoutPaymentWithResponse(ctx, nil, simulation))
	fmt.Println(again.JSON409.Code)

	later := client("LATER_URL")
	unknown := done(later.SimulateCheckoutPaymentWithResponse(ctx, nil, simulation)).JSON409.Code
	event := done(later.ListEventsWithResponse(ctx, nil)).JSON200.Data[0]
	provider := done(later.VerifyCheckoutWithResponse(ctx, reference)).JSON200.Data.Provider
	fmt.Println(unknown, provider, event.Type, event.Data["reference"])
}
