<?php

/* Uses only the client that openapi-generator makes. */

declare(strict_types=1);

use Payments\Api\CheckoutApi;
use Payments\Api\EventsApi;
use Payments\ApiException;
use Payments\Configuration;
use Payments\Model\CheckoutStatus;
use Payments\Model\Error;
use Payments\Model\ErrorCode;
use Payments\Model\InitializeCheckoutRequest;
use Payments\Model\SimulateCheckoutPaymentRequest;
use Payments\ObjectSerializer;

require __DIR__ . '/vendor/autoload.php';

const AMOUNT = 8500000.75;

/** Returns the API error that answered a call. */
function apiError(callable $call): Error
{
    try {
        $call();
    } catch (ApiException $exception) {
        return ObjectSerializer::deserialize(json_decode($exception->getResponseBody()), Error::class, []);
    }
    throw new RuntimeException('The call was not refused.');
}

/** @return array{CheckoutApi, EventsApi} */
function api(string $address): array
{
    $configuration = (new Configuration())->setHost($address)->setAccessToken(getenv('KEY'));
    return [new CheckoutApi(null, $configuration), new EventsApi(null, $configuration)];
}

[$checkouts] = api(getenv('BASE_URL'));
$order = (new InitializeCheckoutRequest())->setAmount(AMOUNT)->setPayerEmail('tunde.bakare@example.com');
$reference = $checkouts->initializeCheckout($order)->getData()->getReference();
$simulation = (new SimulateCheckoutPaymentRequest())->setReference($reference);
$checkouts->simulateCheckoutPayment($simulation);
$checkout = $checkouts->verifyCheckout($reference)->getData();
assert($checkout->getStatus() === CheckoutStatus::PAID);
assert($checkout->getAmount() === AMOUNT && $checkout->getPaidAmount() === AMOUNT);
echo $checkout->getStatus(), ' ', json_encode($checkout->getPaidAmount()), "\n";

$error = apiError(fn () => $checkouts->simulateCheckoutPayment($simulation));
assert($error->getCode() === ErrorCode::CHECKOUT_NOT_PAYABLE);
echo $error->getCode(), "\n";

[$laterCheckouts, $laterEvents] = api(getenv('LATER_URL'));
$error = apiError(fn () => $laterCheckouts->simulateCheckoutPayment($simulation));
$event = $laterEvents->listEvents()->getData()[0];
$provider = $laterCheckouts->verifyCheckout($reference)->getData()->getProvider();
echo $error->getCode(), ' ', $provider, ' ', $event->getType(), ' ', $event->getData()->reference ?? $event->getData()['reference'], "\n";
