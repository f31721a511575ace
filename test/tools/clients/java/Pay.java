import java.util.concurrent.Callable;
import payments.ApiClient;
import payments.ApiException;
import payments.api.CheckoutApi;
import payments.api.EventsApi;
import payments.model.CheckoutStatus;
import payments.model.ErrorCode;
import payments.model.InitializeCheckoutRequest;
import payments.model.SimulateCheckoutPaymentRequest;

/** Uses only the client that openapi-generator makes. */
class Pay {
    static final double AMOUNT = 8_500_000.75;

    static ApiClient client(String address) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv(address));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("KEY")));
        return client;
    }

    /** Returns the code of the API error that answered a call. */
    static String errorCode(Callable<?> call) throws Exception {
        try {
            call.call();
        } catch (ApiException exception) {
            String body = exception.getResponseBody();
            return new ApiClient().getObjectMapper().readValue(body, payments.model.Error.class).getCode();
        }
        throw new IllegalStateException("The call was not refused.");
    }

    static void check(boolean holds) {
        if (!holds) throw new AssertionError();
    }

    public static void main(String[] arguments) throws Exception {
        CheckoutApi checkouts = new CheckoutApi(client("BASE_URL"));
        var order = new InitializeCheckoutRequest().amount(AMOUNT).payerEmail("tunde.bakare@example.com");
        String reference = checkouts.initializeCheckout(order, null, null).getData().getReference();
        var simulation = new SimulateCheckoutPaymentRequest().reference(reference);
        checkouts.simulateCheckoutPayment(simulation, null);
        var checkout = checkouts.verifyCheckout(reference).getData();
        check(checkout.getStatus() == CheckoutStatus.PAID);
        check(checkout.getAmount() == AMOUNT && checkout.getPaidAmount() == AMOUNT);
        System.out.printf("%s %.2f%n", checkout.getStatus(), checkout.getPaidAmount());

        String code = errorCode(() -> checkouts.simulateCheckoutPayment(simulation, null));
        check(code.equals(ErrorCode.CHECKOUT_NOT_PAYABLE.getValue()));
        System.out.println(code);

        ApiClient later = client("LATER_URL");
        CheckoutApi laterCheckouts = new CheckoutApi(later);
        String unknown = errorCode(() -> laterCheckouts.simulateCheckoutPayment(simulation, null));
        var event = new EventsApi(later).listEvents(null, null, null, null, null, null, null).getData().get(0);
        String provider = laterCheckouts.verifyCheckout(reference).getData().getProvider();
        System.out.println(unknown + " " + provider + " " + event.getType() + " " + event.getData().get("reference"));
    }
}
