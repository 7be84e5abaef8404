import { backendPath } from '../../api/backend.ts'

/** Returns a command that creates a payment (api.md Y1) with a key. */
export function curlSample(key: string): string {
  return `curl -X POST ${backendPath('/payment')} \\
  -H 'API-Key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"customerID":"user_123","customerEmail":"user@example.com","amountInUSD":10}'`
}

/** Returns a receiver that verifies what it is sent (Standard Webhooks). */
export function verifySample(secret: string): string {
  return `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook('${secret}')

// Express: keep the raw body, the signature covers its exact bytes.
app.post('/kassa/webhook', express.raw({ type: 'application/json' }), (request, response) => {
  let event
  try {
    event = webhook.verify(request.body.toString(), request.headers)
  } catch {
    return response.sendStatus(400)
  }
  console.log(event.event_type, event.reference_id, event.status)
  response.sendStatus(200)
})`
}
