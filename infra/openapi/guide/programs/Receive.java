import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receive {
    static final long TOLERANCE_SECONDS = 300;

    /** {@code body} must be the raw bytes of the request: parse it afterwards. */
    static boolean isGenuine(byte[] key, Headers headers, byte[] body) throws GeneralSecurityException {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || signatures == null || timestamp == null || !timestamp.matches("\\d{1,12}")) return false;
        long age = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp));
        if (age > TOLERANCE_SECONDS) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        for (String signature : signatures.split(" ")) {
            if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8))) {
                return true;
            }
        }
        return false;
    }

    public static void main(String[] arguments) throws Exception {
        byte[] key = Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").substring("whsec_".length()));
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        // Without an executor, a client that sends half a request blocks all others.
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean genuine;
            try {
                genuine = isGenuine(key, exchange.getRequestHeaders(), body);
            } catch (GeneralSecurityException error) {
                throw new IllegalStateException(error);
            }
            // Store the event under its id, unless you have it already, and do the work after you have answered.
            if (genuine) System.out.println(exchange.getRequestHeaders().getFirst("webhook-id"));
            exchange.sendResponseHeaders(genuine ? 204 : 400, -1);
            exchange.close();
        });
        server.start();
        System.out.println("listening");
    }
}
