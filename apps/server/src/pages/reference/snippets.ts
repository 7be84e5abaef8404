/** What the quick start shows, exactly as its test runs it. */
export type Snippet = { readonly id: string; readonly language: 'Shell' | 'Node' | 'Python'; readonly code: string }

const CREATE_SHELL = String.raw`curl -sS "$KASSA_URL/api/v1/payment" \
  -H "API-Key: $KASSA_API_KEY" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: order-1001' \
  -d '{"customerID":"user_123","customerEmail":"user@example.com","amountInUSD":10}'`

const CREATE_NODE = String.raw`const answer = await fetch(process.env.KASSA_URL + '/api/v1/payment', {
  method: 'POST',
  headers: {
    'API-Key': process.env.KASSA_API_KEY,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-1002',
  },
  body: JSON.stringify({ customerID: 'user_124', customerEmail: 'user@example.com', amountInUSD: 10 }),
})
const payment = await answer.json()
if (!answer.ok) throw new Error(payment.error.code)
console.log(JSON.stringify(payment))`

const CREATE_PYTHON = String.raw`import json, os, urllib.request

request = urllib.request.Request(
    os.environ["KASSA_URL"] + "/api/v1/payment",
    data=json.dumps({"customerID": "user_125", "customerEmail": "user@example.com", "amountInUSD": 10}).encode(),
    headers={
        "API-Key": os.environ["KASSA_API_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "order-1003",
    },
)
with urllib.request.urlopen(request) as answer:
    print(json.dumps(json.load(answer)))`

const VERIFY_SHELL = String.raw`key=$(printf '%s' "$KASSA_WEBHOOK_SECRET" | sed 's/^whsec_//' | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
{ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A > expected.txt
age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
case " $WEBHOOK_SIGNATURE " in
  *" v1,$(cat expected.txt) "*) [ "$age" -le 300 ] && [ "$age" -ge -300 ] && echo genuine || { echo too old; exit 1; } ;;
  *) echo forged; exit 1 ;;
esac`

const VERIFY_NODE = String.raw`import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = Buffer.from(process.env.KASSA_WEBHOOK_SECRET.replace('whsec_', ''), 'base64')

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false
  const expected = createHmac('sha256', secret).update(id + '.' + timestamp + '.').update(body).digest()
  return signatures.split(' ').some((one) => {
    const [version, text = ''] = one.split(',')
    const given = Buffer.from(text, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const server = createServer(async (request, response) => {
  // The signature covers the exact bytes: read them before anything parses them.
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  if (!isGenuine(request.headers, body)) return response.writeHead(400).end()
  const event = JSON.parse(body)
  console.log(event.event_type, event.reference_id, event.status)
  response.writeHead(200).end()
})
server.listen(process.env.PORT ?? 3000, () => console.log('listening on', server.address().port))`

const VERIFY_PYTHON = String.raw`import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = base64.b64decode(os.environ["KASSA_WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_genuine(headers, body):
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The signature covers the exact bytes: read them before anything parses them.
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        if genuine:
            event = json.loads(body)
            print(event["event_type"], event.get("reference_id"), event.get("status"), flush=True)
        self.send_response(200 if genuine else 400)
        self.end_headers()

server = HTTPServer(("", int(os.environ.get("PORT", 3000))), Receiver)
print("listening on", server.server_port, flush=True)
server.serve_forever()`

export const CREATE: readonly Snippet[] = [
  { id: 'create-shell', language: 'Shell', code: CREATE_SHELL },
  { id: 'create-node', language: 'Node', code: CREATE_NODE },
  { id: 'create-python', language: 'Python', code: CREATE_PYTHON },
]

export const VERIFY: readonly Snippet[] = [
  { id: 'verify-shell', language: 'Shell', code: VERIFY_SHELL },
  { id: 'verify-node', language: 'Node', code: VERIFY_NODE },
  { id: 'verify-python', language: 'Python', code: VERIFY_PYTHON },
]
