<?php
/** Reads every object of a list, page by page. A page may be empty and still be followed by another. */
function read_list(string $path, array $query): Generator
{
    do {
        $curl = curl_init(getenv('PAYMENTS_URL') . "/api/v1$path?" . http_build_query($query));
        curl_setopt_array($curl, [
            CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('PAYMENTS_KEY')],
            CURLOPT_RETURNTRANSFER => true, CURLOPT_FAILONERROR => true, CURLOPT_TIMEOUT => 30,
        ]);
        $text = curl_exec($curl);
        if ($text === false) {
            throw new RuntimeException(curl_error($curl));
        }
        $answer = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
        foreach ($answer['data'] as $object) {
            yield $object;
        }
        $query['cursor'] = $answer['meta']['next_cursor'];
    } while ($answer['meta']['has_more']);
}

[, $begin, $end] = $argv;
foreach (read_list('/payments', ['limit' => 100, 'from' => $begin, 'to' => $end]) as $payment) {
    $owner = $payment['merchant_reference'] ?? $payment['virtual_account_id'];
    echo "{$payment['id']} {$payment['outcome']} {$payment['amount']} $owner\n";
}
foreach (['checkout', 'virtual_account'] as $kind) {
    $query = ['limit' => 100, 'type' => "$kind.payment_reversed", 'since' => $begin, 'until' => $end];
    foreach (read_list('/events', $query) as $event) {
        if ($event['example'] ?? false) {
            continue; // from "Test a webhook endpoint": its data is not real
        }
        ['data' => $data] = $event;
        $owner = $kind === 'checkout' ? $data['merchant_reference'] : $data['virtual_account']['id'];
        foreach ($data['payments'] ?? [$data['payment']] as $payment) {
            if ($payment['outcome'] === 'reversed') {
                echo "{$payment['id']} reversed {$payment['amount']} $owner\n";
            }
        }
    }
}
