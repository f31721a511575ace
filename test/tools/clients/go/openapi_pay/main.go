// Command openapi_pay pays with the client that openapi-generator makes.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"clients/openapi"
)

const amount = 8_500_000.75

func client(address string) *openapi.APIClient {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv(address)}}
	return openapi.NewAPIClient(configuration)
}

func check(holds bool) {
	if !holds {
		panic("a check failed")
	}
}

// done returns a call's answer, and panics on an error.
func done[T any](answer *T, _ any, err error) *T {
	if err != nil {
		panic(err)
	}
	return answer
}

// errorCode returns the code of the API error that answered a call.
func errorCode(_, _ any, err error) string {
	var failure *openapi.GenericOpenAPIError
	check(errors.As(err, &failure))
	apiError, isApiError := failure.Model().(openapi.Error)
	check(isApiError)
	return apiError.GetCode()
}

func main() {
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("KEY"))
	checkouts := client("BASE_URL").CheckoutAPI
	order := *openapi.NewInitializeCheckoutRequest(amount, "tunde.bakare@example.com")
	opened := done(checkouts.InitializeCheckout(ctx).InitializeCheckoutRequest(order).Execute())
	reference := opened.Data.Reference
	simulation := *openapi.NewSimulateCheckoutPaymentRequest(reference)
	simulate := checkouts.SimulateCheckoutPayment(ctx).SimulateCheckoutPaymentRequest(simulation)
	done(simulate.Execute())
	checkout := done(checkouts.VerifyCheckout(ctx, reference).Execute()).Data
	check(checkout.Status == openapi.CHECKOUTSTATUS_PAID && checkout.Amount == amount && checkout.PaidAmount == amount)
	fmt.Printf("%s %.2f\n", checkout.Status, checkout.PaidAmount)

	code := errorCode(simulate.Execute())
	check(code == string(openapi.ERRORCODE_CHECKOUT_NOT_PAYABLE))
	fmt.Println(code)

	later := client("LATER_URL")
	unknown := errorCode(later.CheckoutAPI.SimulateCheckoutPayment(ctx).SimulateCheckoutPaymentRequest(simulation).Execute())
	event := done(later.EventsAPI.ListEvents(ctx).Execute()).Data[0]
	provider := done(later.CheckoutAPI.VerifyCheckout(ctx, reference).Execute()).Data.Provider
	fmt.Println(unknown, provider, event.Type, event.Data["reference"])
}
