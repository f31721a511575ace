package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
)

type payment struct {
	ID, Outcome       string
	Amount            float64
	MerchantReference string `json:"merchant_reference"`
	VirtualAccountID  string `json:"virtual_account_id"`
}

type event struct {
	Example bool
	Data    struct {
		MerchantReference string              `json:"merchant_reference"`
		VirtualAccount    struct{ ID string } `json:"virtual_account"`
		Payment           payment
		Payments          []payment
	}
}

// inNaira writes an amount for people: %v would write 8.50000075e+06.
func inNaira(naira float64) string { return strconv.FormatFloat(naira, 'f', -1, 64) }

// each reads a list page by page. A page may be empty and still be followed by another.
func each[T any](path string, query url.Values, use func(T)) {
	for {
		request, _ := http.NewRequest("GET", os.Getenv("PAYMENTS_URL")+"/api/v1"+path+"?"+query.Encode(), nil)
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PAYMENTS_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			panic(err)
		}
		var answer struct {
			Data []T
			Meta struct {
				HasMore    bool   `json:"has_more"`
				NextCursor string `json:"next_cursor"`
			}
		}
		err = json.NewDecoder(response.Body).Decode(&answer)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			panic(fmt.Sprint(response.Status, err))
		}
		for _, object := range answer.Data {
			use(object)
		}
		if !answer.Meta.HasMore {
			return
		}
		query.Set("cursor", answer.Meta.NextCursor)
	}
}

func main() {
	begin, end := os.Args[1], os.Args[2]
	each("/payments", url.Values{"limit": {"100"}, "from": {begin}, "to": {end}}, func(p payment) {
		fmt.Println(p.ID, p.Outcome, inNaira(p.Amount), p.MerchantReference+p.VirtualAccountID) // one of the two is null
	})
	for _, kind := range []string{"checkout.payment_reversed", "virtual_account.payment_reversed"} {
		each("/events", url.Values{"limit": {"100"}, "type": {kind}, "since": {begin}, "until": {end}}, func(e event) {
			for _, p := range append(e.Data.Payments, e.Data.Payment) {
				if !e.Example && p.Outcome == "reversed" { // an example is from "Test a webhook endpoint": its data is not real
					fmt.Println(p.ID, "reversed", inNaira(p.Amount), e.Data.MerchantReference+e.Data.VirtualAccount.ID)
				}
			}
		})
	}
}
