<?php

/* Replaces Composer's vendor/autoload.php: Debian's Guzzle has an autoloader, and the client's classes are in its lib/. */

declare(strict_types=1);

require 'GuzzleHttp/autoload.php';
spl_autoload_register(static function (string $class): void {
    $file = dirname(__DIR__) . '/client/lib/' . str_replace('\\', '/', substr($class, strlen('Payments\\'))) . '.php';
    if (str_starts_with($class, 'Payments\\') && is_file($file)) {
        require $file;
    }
});
