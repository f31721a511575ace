package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tries    = 3
	patience = 10 * time.Second
)

type attempt struct {
	key, reference string
	body           []byte
}

type order struct {
	sync.Mutex        // one request at a time, so that two clicks start one attempt
	id, number, email string
	kobo              int64
	attempts          []*attempt      // one for each checkout
	shipped           string          // the reference of the checkout that it was shipped for
	notes             map[string]bool // for a person
}

// checkout is a checkout in answers and in webhooks.
type checkout struct {
	Reference, Status string
	Paid              bool
	Amount            float64
	Difference        float64
	PaidAmount        float64   `json:"paid_amount"`
	AmountToPay       float64   `json:"amount_to_pay"`
	BankName          string    `json:"bank_name"`
	AccountNumber     string    `json:"account_number"`
	AccountName       string    `json:"account_name"`
	ExpiresAt         time.Time `json:"expires_at"`
	CheckoutURL       string    `json:"checkout_url"`
	CreatedWith       string    `json:"created_with"`
	MerchantReference string    `json:"merchant_reference"`
}

// A real shop uses database tables. This memory is lost when the program ends, so each run has new order numbers.
var (
	orders = map[string]*order{}
	client = http.Client{Timeout: 30 * time.Second}
	base   = os.Getenv("PAYMENTS_URL") + "/api/v1"
	shop   = os.Getenv("SHOP_URL")
)

func random(size int) string {
	buffer := make([]byte, size)
	rand.Read(buffer)
	return hex.EncodeToString(buffer)
}

func toKobo(naira float64) int64 { return int64(math.Round(naira * 100)) }

// inNaira writes an amount for people: %v would write 8.50000075e+06.
func inNaira(naira float64) string { return strconv.FormatFloat(naira, 'f', -1, 64) }

// apiError is an error of the API. It is final if a repetition cannot help.
type apiError struct {
	Code, Message string
	RequestID     string                     `json:"request_id"`
	Errors        []struct{ Message string } `json:"errors"`
	isFinal       bool
	retryAfter    time.Duration
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%s: %s %v (%s)", e.Code, e.Message, e.Errors, e.RequestID)
}

func send(method, path string, body []byte, key string, data any) error {
	request, err := http.NewRequest(method, base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PAYMENTS_KEY"))
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode < 300 {
		return json.NewDecoder(response.Body).Decode(&struct{ Data any }{data})
	}
	answer := &apiError{}
	json.NewDecoder(response.Body).Decode(answer) // a gateway may answer with another form
	status := response.StatusCode
	answer.isFinal = status < 500 && status != http.StatusTooManyRequests && answer.Code != "idempotency_in_progress"
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	answer.retryAfter = time.Duration(seconds) * time.Second
	return answer
}

// call repeats a request after no answer, a 5xx, 429 and 409 idempotency_in_progress. Key and body stay the same, so it is done once.
func call(method, path string, body []byte, key string, data any) error {
	for try := 1; ; try++ {
		err := send(method, path, body, key, data)
		if err == nil || try == tries {
			return err
		}
		pause := time.Duration(try) * time.Second
		if answer := (&apiError{}); errors.As(err, &answer) {
			if answer.retryAfter > 0 {
				pause = answer.retryAfter
			}
			if answer.isFinal || pause > patience {
				return err
			}
		}
		time.Sleep(pause)
	}
}

func verify(reference string) (c checkout, err error) {
	return c, call("GET", "/checkout/verify/"+reference, nil, "", &c)
}

// current finds the checkout that counts: the one that the order was shipped for (an older one may be paid late), else the last.
func (o *order) current() string {
	reference := o.shipped
	for i := len(o.attempts) - 1; i >= 0 && reference == ""; i-- {
		reference = o.attempts[i].reference
	}
	return reference
}

// note prints a note for a person, once.
func (o *order) note(format string, values ...any) {
	if text := fmt.Sprintf(format, values...); !o.notes[text] {
		o.notes[text] = true
		fmt.Println(text)
	}
}

// settle ships once, and only if the whole price was paid. A person decides about all other money.
func (o *order) settle(c checkout) {
	isWhole := toKobo(c.Amount) == o.kobo && toKobo(c.PaidAmount) >= o.kobo
	if c.Paid && isWhole && o.shipped == "" {
		o.shipped = c.Reference // in a database: UPDATE … SET shipped = $1 WHERE id = $2 AND shipped IS NULL
		fmt.Println("ship order", o.id)
	}
	switch {
	case o.shipped == c.Reference && c.Difference > 0:
		o.note("pay back %s naira of %s: more than order %s costs", inNaira(c.Difference), c.Reference, o.id)
	case o.shipped == c.Reference && c.Difference < 0:
		o.note("%s naira of %s were taken back: order %s was shipped", inNaira(-c.Difference), c.Reference, o.id)
	case o.shipped == c.Reference:
	case o.shipped != "" && c.PaidAmount > 0:
		o.note("refund %s naira of %s: order %s was shipped for %s", inNaira(c.PaidAmount), c.Reference, o.id, o.shipped)
	case c.Paid || c.PaidAmount > 0 && c.Reference != o.current():
		cost := float64(o.kobo) / 100
		o.note("look into order %s, which costs %s naira: %s asked for %s, and %s came", o.id, inNaira(cost), c.Reference, inNaira(c.Amount), inNaira(c.PaidAmount))
	}
}

// view makes the view for the payer.
func (o *order) view(c checkout) map[string]any {
	isOver, missing := time.Now().After(c.ExpiresAt), -c.Difference
	pay := func(amount float64) map[string]any {
		return map[string]any{"show": "pay", "amount_to_pay": amount, "bank_name": c.BankName,
			"account_number": c.AccountNumber, "account_name": c.AccountName, "expires_at": c.ExpiresAt}
	}
	switch {
	case o.shipped != "" && c.Difference < 0: // money was taken back after the shipment
		return map[string]any{"show": "contact us"}
	case o.shipped != "":
		return map[string]any{"show": "thanks", "overpaid": c.Difference}
	case c.Status == "pending" && isOver: // we are asking the provider, so show no account number
		return map[string]any{"show": "checking"}
	case c.Status == "pending":
		return pay(c.AmountToPay)
	case c.Status == "underpaid" && isOver:
		return map[string]any{"show": "contact us", "missing": missing}
	case c.Status == "underpaid":
		return pay(missing)
	case c.Status == "paid": // with less
		return map[string]any{"show": "contact us"}
	default: // expired or failed
		return map[string]any{"show": c.Status + ", try again"}
	}
}

func (o *order) newAttempt() *attempt {
	body, _ := json.Marshal(map[string]any{
		"amount":             float64(o.kobo) / 100,
		"payer_email":        o.email,
		"merchant_reference": o.number,
		"description":        "Order " + o.id,
		"callback_url":       shop + "/orders/" + o.id, // the payment page leads back here
		"cancel_url":         shop + "/orders/" + o.id, // the same page, because a payer who cancels may have paid
	})
	return &attempt{key: o.number + "-" + random(16), body: body}
}

// lostCheckout finds the checkout whose answer was lost. A browser's checkout may have our order number too: ignore it.
func (o *order) lostCheckout() (checkout, error) {
	var matches []checkout
	if err := call("GET", "/checkouts?merchant_reference="+url.QueryEscape(o.number), nil, "", &matches); err != nil {
		return checkout{}, err
	}
	i := slices.IndexFunc(matches, func(c checkout) bool { return c.CreatedWith != "public" })
	if i < 0 || toKobo(matches[i].Amount) != o.kobo {
		return checkout{}, fmt.Errorf("%s is in use, by a checkout that is not listed yet or asks for another amount", o.number)
	}
	return matches[i], nil
}

// open sends an attempt. After a final error or provider_error it is dropped, so that the next attempt has a new key and body.
// If the provider opened it all the same, the next answer is duplicate_merchant_reference.
func (o *order) open(a *attempt) (opened checkout, err error) {
	err = call("POST", "/checkout/initialize", a.body, a.key, &opened)
	var answer *apiError
	if !errors.As(err, &answer) {
		return opened, err
	}
	if answer.Code == "duplicate_merchant_reference" {
		return o.lostCheckout()
	}
	if answer.isFinal || answer.Code == "provider_error" {
		o.attempts = o.attempts[:len(o.attempts)-1]
	}
	return opened, err
}

// payable finds the checkout to pay now: the last one, or a new one if the last has ended without money.
func (o *order) payable() (checkout, error) {
	if len(o.attempts) == 0 {
		o.attempts = append(o.attempts, o.newAttempt())
	}
	last := o.attempts[len(o.attempts)-1]
	if o.shipped != "" || last.reference != "" {
		c, err := verify(o.current())
		if err != nil || o.shipped != "" || c.Status != "expired" && c.Status != "failed" {
			return c, err
		}
		last = o.newAttempt()
		o.attempts = append(o.attempts, last)
	}
	// Key and body were stored before the call: another click, or a retry, sends both again and gets the same checkout.
	opened, err := o.open(last)
	if err != nil {
		return checkout{}, err
	}
	last.reference = opened.Reference
	return verify(last.reference)
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

// receive checks the checkout that a webhook names. The webhook itself may come twice, or late.
func receive(body []byte) error {
	var event struct {
		Example bool
		Data    checkout
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return err
	}
	if event.Example || event.Data.CreatedWith == "public" {
		return nil // a test, or a checkout of a browser, whose amount anyone can choose
	}
	for _, o := range orders {
		if o.number == event.Data.MerchantReference {
			o.Lock()
			defer o.Unlock()
			c, err := verify(event.Data.Reference)
			if err != nil {
				return err
			}
			o.settle(c)
		}
	}
	return nil
}

func reply(response http.ResponseWriter, status int, view any) {
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	json.NewEncoder(response).Encode(view)
}

func fail(response http.ResponseWriter, err error) {
	fmt.Println(err) // an error of the API with its code and request id
	reply(response, http.StatusBadGateway, map[string]any{"show": "Something went wrong on our side. Please try again in a minute."})
}

func answerOrder(response http.ResponseWriter, request *http.Request) {
	o, isPost := orders[request.PathValue("id")], request.Method == "POST"
	if o == nil {
		reply(response, http.StatusNotFound, struct{}{})
		return
	}
	o.Lock()
	defer o.Unlock()
	if !isPost && o.current() == "" {
		reply(response, http.StatusNotFound, struct{}{})
		return
	}
	find := o.payable
	if !isPost {
		find = func() (checkout, error) { return verify(o.current()) }
	}
	c, err := find()
	if err != nil {
		fail(response, err)
		return
	}
	o.settle(c) // the webhook may be late, so this request may be the first to see the money
	switch request.PathValue("action") {
	case "pay": // to our payment page
		http.Redirect(response, request, c.CheckoutURL, http.StatusSeeOther)
	case "checkout": // for the widget
		reply(response, http.StatusOK, map[string]any{"checkoutUrl": c.CheckoutURL})
	default: // the return page: it shows the answer of the service, and ignores its own query
		reply(response, http.StatusOK, o.view(c))
	}
}

func main() {
	address, run := "127.0.0.1:"+os.Getenv("PORT"), random(4)
	if shop == "" {
		shop = "http://" + address
	}
	for _, id := range []string{"417", "418"} {
		number := "ORDER-" + run + "-" + id
		orders[id] = &order{id: id, number: number, email: "tunde.bakare@example.com", kobo: 850_075, notes: map[string]bool{}}
	}
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/orders/{id}", answerOrder)
	http.HandleFunc("/orders/{id}/{action}", answerOrder)
	http.HandleFunc("POST /webhooks", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		if err != nil || !isGenuine(secret, request.Header, body) {
			response.WriteHeader(http.StatusBadRequest)
		} else if err := receive(body); err != nil { // if this takes longer than a second, store the event and answer first
			fail(response, err)
		} else {
			response.WriteHeader(http.StatusNoContent)
		}
	})
	fmt.Println("listening")
	panic(http.ListenAndServe(address, nil))
}
