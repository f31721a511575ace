import payments.ApiClient;
import payments.ApiException;
import payments.api.CheckoutApi;
import payments.model.InitializeCheckoutRequest;

class Generated {
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("PAYMENTS_URL"));
        String key = "Bearer " + System.getenv("PAYMENTS_KEY");
        client.setRequestInterceptor(request -> request.header("Authorization", key));
        var order = new InitializeCheckoutRequest().amount(8_500_000.75).payerEmail("tunde.bakare@example.com");
        try {
            var checkout = new CheckoutApi(client).initializeCheckout(order, null, null).getData();
            System.out.printf("%s %.2f%n", checkout.getAccountNumber(), checkout.getAmountToPay());
        } catch (ApiException failure) {
            var error = client.getObjectMapper().readValue(failure.getResponseBody(), payments.model.Error.class);
            System.out.println("Refused: " + error.getCode());
        }
    }
}
