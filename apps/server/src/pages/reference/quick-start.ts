import { escapeHtml } from '../html.ts'
import { layout } from './layout.ts'
import { CREATE, type Snippet, VERIFY } from './snippets.ts'

/** From a key to a payment, and from a payment to a webhook that is verified. */
export function quickStartPage(): string {
  return layout({
    section: '/docs',
    title: 'Quick start',
    body:
      '<p>For programs: <a href="/api/v1/openapi.json">OpenAPI 3.1</a>, <a href="/api/v1/errors.json">error codes</a>. ' +
      'All calls: <a href="/docs/calls">Calls</a>.</p>' +
      '<h2>1. Make a key</h2><p>Open Developers in the dashboard, create an API key and copy it; it is shown once. Then set two variables:</p>' +
      block({
        id: 'variables',
        language: 'Shell',
        code: "export KASSA_URL='http://localhost:8080'\nexport KASSA_API_KEY='kp_…'",
      }) +
      '<h2>2. Create a payment</h2><p>The answer holds <code>url</code>, where you send the customer, and <code>reference_id</code>, which names the payment in every webhook. ' +
      'Use the number of your order as <code>Idempotency-Key</code>: when an answer is lost, the same request can be sent again and makes no second payment.</p>' +
      CREATE.map(shown).join('') +
      '<p>A refusal has a code: <a href="/docs/errors">Errors</a> says what to do next.</p>' +
      '<h2>3. Verify a webhook</h2><p>Add an endpoint under Developers, copy its secret and set <code>KASSA_WEBHOOK_SECRET</code>. ' +
      'Verify every message before you believe it: anybody can send one to your address. Answer with 200 within 15 seconds, and drop a <code>webhook-id</code> that you know.</p>' +
      '<p>In the shell, one message is checked by hand: its body, byte for byte, in <code>body.json</code>, its headers in <code>WEBHOOK_ID</code>, <code>WEBHOOK_TIMESTAMP</code> and <code>WEBHOOK_SIGNATURE</code>.</p>' +
      VERIFY.map(shown).join('') +
      '<h2>4. Deliver</h2><p>Deliver when the status is <a href="/docs/states/payment/FILLED">FILLED</a> or <a href="/docs/states/payment/OVER_FILLED">OVER_FILLED</a>. ' +
      '<a href="/docs/states">States</a> says what each of the others means.</p>',
  })
}

function shown(snippet: Snippet): string {
  return `<h3 id="${snippet.id}-title">${snippet.language}</h3>${block(snippet)}`
}

/** Long lines scroll, by the keyboard too. */
function block({ id, language, code }: Snippet): string {
  return `<pre id="${id}" tabindex="0" role="region" aria-label="${language}: ${id}"><code>${escapeHtml(code)}</code></pre>`
}
