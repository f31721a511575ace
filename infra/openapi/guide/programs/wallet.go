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

// Your books use database tables, because this memory is lost: the owner of each virtual account, and one row for each payment.
var (
	mutex     sync.Mutex
	customers = map[string]string{}  // {"va_…": "CUSTOMER-7"}
	credits   = map[string]credit{}  // by the payment's id
	unknown   = map[string]payment{} // for a person
)

// inNaira writes an amount for people: %v would write 8.50000075e+06.
func inNaira(naira float64) string { return strconv.FormatFloat(naira, 'f', -1, 64) }

func sumCredits(customer string) (kobo int64) {
	mutex.Lock()
	defer mutex.Unlock()
	for _, credit := range credits {
		if credit.customer == customer && !credit.isReversed {
			kobo += credit.kobo
		}
	}
	return kobo
}

// book books a payment once, however often an event, a list or an answer brings it.
func book(account string, p payment) {
	mutex.Lock()
	defer mutex.Unlock()
	customer, isKnown := customers[account]
	if !isKnown {
		// Do not answer with an error: the endpoint would be suspended, and other customers would wait for their money.
		unknown[p.ID] = p
		fmt.Printf("look into %s: %s naira on %s, which is no customer's account\n", p.ID, inNaira(p.Amount), account)
		return
	}
	if p.Outcome == "rejected" {
		return // its bank has the money back already
	}
	// In your books: insert a row with the payment's unique id, or mark that row as reversed, in one transaction.
	// A reversal may arrive before its payment: a reversed payment stays reversed.
	isReversed := p.Outcome == "reversed" || credits[p.ID].isReversed
	credits[p.ID] = credit{customer, int64(math.Round(p.Amount * 100)), isReversed}
}

func receive(e event) {
	if e.Example {
		return // from "Test a webhook endpoint": its data is not real
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
	return slices.ContainsFunc(strings.Split(header.Get("webhook-signature"), " "), func(signature string) bool {
		return hmac.Equal([]byte(signature), []byte(expected))
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
		json.NewEncoder(response).Encode(map[string]float64{"naira": float64(sumCredits(request.PathValue("customer"))) / 100})
	})
	http.HandleFunc("POST /webhooks", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		var e event
		if err != nil || !isGenuine(key, request.Header, body) || json.Unmarshal(body, &e) != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		receive(e) // if your books can fail, answer 500: the event is sent again
		response.WriteHeader(http.StatusNoContent)
	})
	fmt.Println("listening")
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
