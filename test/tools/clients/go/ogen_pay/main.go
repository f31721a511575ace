// Command ogen_pay pays with the client that ogen makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"clients/ogen"
)

const amount = 8_500_000.75

// secret answers with a server's only key.
type secret struct{}

func (secret) SecretKey(context.Context, ogen.OperationName) (ogen.SecretKey, error) {
	return ogen.SecretKey{Token: os.Getenv("KEY")}, nil
}

func (secret) PublicKey(context.Context, ogen.OperationName) (ogen.PublicKey, error) {
	return ogen.PublicKey{Token: os.Getenv("KEY")}, nil
}

func check(holds bool) {
	if !holds {
		panic("a check failed")
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// as converts an answer to the expected type, and panics on another one.
func as[T any](answer any, err error) T {
	value, ok := must(answer, err).(T)
	if !ok {
		panic(fmt.Sprintf("%T", answer))
	}
	return value
}

func main() {
	ctx := context.Background()
	payments := must(ogen.NewClient(os.Getenv("BASE_URL"), secret{}))
	order := &ogen.InitializeCheckoutRequest{Amount: amount, PayerEmail: "tunde.bakare@example.com"}
	opened := as[*ogen.InitializeCheckoutAnswerHeaders](payments.InitializeCheckout(ctx, order, ogen.InitializeCheckoutParams{}))
	reference := opened.Response.Data.Reference
	simulation := &ogen.SimulateCheckoutPaymentRequest{Reference: reference}
	simulate := func(client *ogen.Client) (ogen.SimulateCheckoutPaymentRes, error) {
		return client.SimulateCheckoutPayment(ctx, simulation, ogen.SimulateCheckoutPaymentParams{})
	}
	must(simulate(payments))
	verify := ogen.VerifyCheckoutParams{Reference: reference}
	checkout := as[*ogen.VerifyCheckoutAnswerHeaders](payments.VerifyCheckout(ctx, verify)).Response.Data
	check(checkout.Status == ogen.CheckoutStatusPaid && checkout.Amount == amount && checkout.PaidAmount == amount)
	fmt.Printf("%s %.2f\n", checkout.Status, checkout.PaidAmount)

	fmt.Println(as[*ogen.SimulateCheckoutPaymentConflict](simulate(payments)).Response.Code)

	later := must(ogen.NewClient(os.Getenv("LATER_URL"), secret{}))
	unknown := as[*ogen.SimulateCheckoutPaymentConflict](simulate(later)).Response.Code
	event := as[*ogen.ListEventsAnswerHeaders](later.ListEvents(ctx, ogen.ListEventsParams{})).Response.Data[0]
	var about string
	check(json.Unmarshal(event.Data["reference"], &about) == nil)
	provider := as[*ogen.VerifyCheckoutAnswerHeaders](later.VerifyCheckout(ctx, verify)).Response.Data.Provider
	fmt.Println(unknown, provider, event.Type, about)
}
