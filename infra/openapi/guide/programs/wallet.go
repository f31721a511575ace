package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type payment struct {
	ID, Outcome string
	Amount      float64
}

type event struct {
	Type    string
	Example bool
	Data    struct {
		VirtualAccount struct{ ID string } `json:"virtual_account"`
		Payment        payment
	}
}

type credit struct {
	customer   string
	kobo       int64
	isReversed bool
}

// In your books these are tables, since this memory forgets: whose virtual account it is, and one row for each payment.
var (
	mutex     sync.Mutex
	customers = map[string]string{}  // {"va_…": "CUSTOMER-7"}
	credits   = map[string]credit{}  // by the payment's id
	unknown   = map[string]payment{} // for a person
)

// inNaira is an amount as people write it: %v would write 8.50000075e+06.
func inNaira(naira float64) string { return strconv.FormatFloat(naira, 'f', -1, 64) }

func balanceOf(customer string) (kobo int64) {
	mutex.Lock()
	defer mutex.Unlock()
	for _, one := range credits {
		if one.customer == customer && !one.isReversed {
			kobo += one.kobo
		}
	}
	return kobo
}

// book counts a payment once, whichever event, list or answer brings it, and however often.
func book(account string, p payment) {
	mutex.Lock()
	defer mutex.Unlock()
	customer, isKnown := customers[account]
	if !isKnown {
		// Not an error: an endpoint that answers with errors is suspended, and then other customers wait for their money.
		unknown[p.ID] = p
		fmt.Printf("look into %s: %s naira on %s, which is no customer's account\n", p.ID, inNaira(p.Amount), account)
		return
	}
	if p.Outcome == "rejected" {
		return // its bank has it back already
	}
	// In your books: insert the payment's id, which is unique, or mark its row as reversed, in one transaction.
	// A reversal may overtake the payment that it takes back: once reversed, a payment stays so.
	isReversed := p.Outcome == "reversed" || credits[p.ID].isReversed
	credits[p.ID] = credit{customer, int64(math.Round(p.Amount * 100)), isReversed}
}

func receive(e event) {
	if e.Example {
		return // from "Test a webhook endpoint": nothing of it exists
	}
	if e.Type == "virtual_account.payment_received" || e.Type == "virtual_account.payment_reversed" {
		book(e.Data.VirtualAccount.ID, e.Data.Payment)
	}
}

func isGenuine(key []byte, header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return slices.ContainsFunc(strings.Split(header.Get("webhook-signature"), " "), func(given string) bool {
		return hmac.Equal([]byte(given), []byte(expected))
	})
}

func main() {
	if accounts := os.Getenv("ACCOUNTS"); accounts != "" {
		if err := json.Unmarshal([]byte(accounts), &customers); err != nil {
			panic(err)
		}
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		panic(err)
	}
	http.HandleFunc("GET /wallets/{customer}", func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Content-Type", "application/json")
		json.NewEncoder(response).Encode(map[string]float64{"naira": float64(balanceOf(request.PathValue("customer"))) / 100})
	})
	http.HandleFunc("POST /webhooks", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		var e event
		if err != nil || !isGenuine(key, request.Header, body) || json.Unmarshal(body, &e) != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		receive(e) // where your books may fail, answer 500 then: the event comes again
		response.WriteHeader(http.StatusNoContent)
	})
	fmt.Println("listening")
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
