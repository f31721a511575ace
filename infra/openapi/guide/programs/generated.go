package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"example.com/shop/payments"
)

func main() {
	ctx := context.Background()
	secretKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PAYMENTS_KEY"))
		return nil
	}
	client, err := payments.NewClientWithResponses(os.Getenv("PAYMENTS_URL"), payments.WithRequestEditorFn(secretKey))
	if err != nil {
		panic(err)
	}
	order := payments.InitializeCheckoutRequest{Amount: 8_500_000.75, PayerEmail: "tunde.bakare@example.com"}
	// Store both with the order before the call, and send both again after a time-out: a new body may differ in its bytes.
	body, _ := json.Marshal(order)
	attempt := "ORDER-2026-00417-" + os.Getenv("RANDOM_TEXT")
	params := &payments.InitializeCheckoutParams{IdempotencyKey: &attempt}
	answer, err := client.InitializeCheckoutWithBodyWithResponse(ctx, params, "application/json", strings.NewReader(string(body)))
	if err != nil {
		panic(err)
	}
	if answer.JSON201 == nil {
		fmt.Println("Refused:", string(answer.Body))
		return
	}
	fmt.Printf("%s %.2f\n", answer.JSON201.Data.AccountNumber, answer.JSON201.Data.AmountToPay)
}
