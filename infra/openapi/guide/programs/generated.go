package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/shop/payments"
)

func main() {
	ctx := context.Background()
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PAYMENTS_KEY"))
		return nil
	}
	client, err := payments.NewClientWithResponses(os.Getenv("PAYMENTS_URL"), payments.WithRequestEditorFn(key))
	if err != nil {
		panic(err)
	}
	order := payments.InitializeCheckoutRequest{Amount: 8_500_000.75, PayerEmail: "tunde.bakare@example.com"}
	answer, err := client.InitializeCheckoutWithResponse(ctx, nil, order)
	if err != nil {
		panic(err)
	}
	if answer.JSON201 == nil {
		fmt.Println("Refused:", string(answer.Body))
		return
	}
	fmt.Printf("%s %.2f\n", answer.JSON201.Data.AccountNumber, answer.JSON201.Data.AmountToPay)
}
