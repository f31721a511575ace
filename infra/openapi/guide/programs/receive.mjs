import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
const TOLERANCE_SECONDS = 300;

/** `body` must be the raw bytes of the request: parse it afterwards. */
const isGenuine = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((entry) => {
    const [version, value = ''] = entry.split(',');
    const signature = Buffer.from(value, 'base64');
    return version === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected);
  });
};

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (!isGenuine(request.headers, body)) return response.writeHead(400).end();
    const event = JSON.parse(body);
    // Store the event under its id, unless you have it already, and do the work after you have answered.
    console.log(event.type, event.id);
    response.writeHead(204).end();
  });
});
server.listen(process.env.PORT, () => console.log('listening'));
