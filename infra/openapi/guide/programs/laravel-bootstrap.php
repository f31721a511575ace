<?php // bootstrap/app.php of Laravel 11 and later

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Middleware;

return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(web: __DIR__ . '/../routes/web.php')
    ->withMiddleware(function (Middleware $middleware): void {
        $middleware->validateCsrfTokens(except: ['webhooks/payments']);
        $middleware->trustProxies(at: ['10.0.0.0/8']); // the addresses of your load balancer
    })
    ->create();
