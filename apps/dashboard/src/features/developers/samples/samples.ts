import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'

import { backendPath } from '../../../api/backend.ts'

/** Returns a shell command that creates a payment with a key, to try the key at once. */
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

/** Returns a command that sends an event to a receiver on this machine, as an endpoint gets it but for the signature. */
export function curlOfEvent({ id, createdAt, payload }: FeedEvent): string {
  const body = JSON.stringify(payload).replaceAll("'", String.raw`'\''`)
  return `curl -X POST http://localhost:3000/webhook \\
  -H 'Content-Type: application/json' \\
  -H 'webhook-id: ${id}' \\
  -H 'webhook-timestamp: ${Math.floor(createdAt.getTime() / 1000)}' \\
  -d '${body}'`
}
