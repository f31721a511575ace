<?php

require 'vendor/autoload.php';

use Payments\Api\CheckoutApi;
use Payments\ApiException;
use Payments\Configuration;
use Payments\Model\ErrorCode;
use Payments\Model\InitializeCheckoutRequest;

$configuration = (new Configuration())->setHost(getenv('PAYMENTS_URL'))->setAccessToken(getenv('PAYMENTS_KEY'));
$checkouts = new CheckoutApi(null, $configuration);
$order = (new InitializeCheckoutRequest())->setAmount(8500000.75)->setPayerEmail('tunde.bakare@example.com');
try {
    $checkout = $checkouts->initializeCheckout($order)->getData();
    echo $checkout->getAccountNumber(), ' ', number_format($checkout->getAmountToPay(), 2, '.', ''), "\n";
} catch (ApiException $failure) {
    $code = json_decode((string) $failure->getResponseBody())->code ?? null;
    echo $code === ErrorCode::RATE_LIMITED ? 'Later.' : "Refused: $code", "\n";
}
