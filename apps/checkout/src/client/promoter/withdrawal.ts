import { addressGroups } from '@kassa/primitives/address-groups.ts'

import { announce } from '../view.ts'
import { fill } from '../fill.ts'
import { refreshPage } from './facts.ts'

const PATH = '/api/v1/referral/referrers/withdrawals'

type Body = Readonly<Record<string, string>>

/**
 * The call about which no answer has decided. The same one again carries its key: if the server had stored the withdrawal, it
 * answers with that one instead of refusing the code as used up.
 */
let undecided: { readonly text: string; readonly key: string } | undefined

/** Answers the two forms of a withdrawal: the first asks for a code, the second sends it. */
export function answerWithdrawal(token: string): void {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement)) return
    if (form.id !== 'withdrawal' && form.id !== 'confirmation') return
    event.preventDefault()
    void (form.id === 'withdrawal' ? askForCode(form, token) : withdraw(form, token))
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('#change') !== null) showStep('withdrawal')
  })
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.id === 'source') followSource(target)
  })
}

/** The amount that is offered is all there is of the chosen currency. */
function followSource(source: HTMLSelectElement): void {
  const amount = field('amount')
  const label = document.querySelector('label[for=amount]')
  if (amount !== null) amount.value = source.selectedOptions[0]?.dataset['available'] ?? ''
  if (label !== null) label.textContent = fill(said('amount'), { currency: source.value })
}

async function askForCode(form: HTMLFormElement, token: string): Promise<void> {
  const isSent = await busy(form, () => post('/otp', {}, token))
  if (!isSent) return
  const { amount = '', address = '' } = values(form)
  const [, currency = ''] = assetOf(form)
  const network = form.querySelector<HTMLSelectElement>('#asset')?.selectedOptions[0]?.textContent?.trim() ?? currency
  const source = sourceOf(form)
  write('spelled-amount', [`${source === 'USD' ? `$${amount}` : `${amount} ${source}`} → ${network}`])
  write('spelled-address', addressGroups(address))
  showStep('confirmation')
  field('otp')?.focus()
}

async function withdraw(form: HTMLFormElement, token: string): Promise<void> {
  const first = document.getElementById('withdrawal')
  if (!(first instanceof HTMLFormElement)) return
  const { amount = '', address = '' } = values(first)
  const [blockchainCode = '', currencyCode = ''] = assetOf(first)
  const source = field('source')?.value
  const otpCode = values(form)['otp'] ?? ''
  const body = { amount, blockchainCode, currencyCode, toAddress: address, otpCode }
  const requested = said('requested')
  const isDone = await busy(form, () =>
    post('', { ...body, ...(source !== undefined && { rewardCurrencyCode: source }) }, token),
  )
  if (!isDone) return
  if (!(await refreshPage(token))) showStep('withdrawal')
  const status = document.getElementById('status')
  if (status !== null) status.hidden = false
  announce(requested)
  document.getElementById('headline')?.focus()
}

/** Shows that something is under way, and why it was refused; one press at a time. */
async function busy(form: HTMLFormElement, work: () => Promise<string | null>): Promise<boolean> {
  const button = form.querySelector('button')
  if (button === null || button.hasAttribute('aria-busy')) return false
  button.setAttribute('aria-busy', 'true')
  refuse('')
  const refusal = await work()
  button.removeAttribute('aria-busy')
  if (refusal !== null) refuse(refusal)
  return refusal === null
}

/** Sends a call; returns what it was refused with, in words, or null. */
async function post(path: string, body: Body, token: string): Promise<string | null> {
  const text = JSON.stringify(body)
  if (undecided?.text !== path + text) undecided = { text: path + text, key: newKey() }
  try {
    const answer = await fetch(`${PATH}${path}`, {
      method: 'POST',
      headers: { 'referral-token': token, 'content-type': 'application/json', 'idempotency-key': undecided.key },
      body: text,
      cache: 'no-store',
    })
    const refusal: unknown = answer.ok ? null : await answer.json()
    // An earlier call under this key may still be under way.
    if (answer.status < 500 && codeOf(refusal) !== 'IDEMPOTENCY_IN_PROGRESS') undecided = undefined
    return answer.ok ? null : refusalOf(refusal, Number(answer.headers.get('retry-after')))
  } catch {
    return said('failed')
  }
}

/** `randomUUID` is missing where the page is not encrypted. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

function codeOf(answer: unknown): string {
  return (answer as { error?: { code?: string } } | null)?.error?.code ?? ''
}

function refusalOf(answer: unknown, seconds: number): string {
  const error = (answer as { error?: { message?: string } }).error
  const known = JSON.parse(said('refusals') || '{}') as Readonly<Record<string, string>>
  const words = known[codeOf(answer)] ?? error?.message ?? said('failed')
  return fill(words, { time: timeAfter(seconds) })
}

/** The minute at which so many seconds are over, with its day, as the page's language writes both. */
function timeAfter(seconds: number): string {
  const { lang } = document.documentElement
  const end = new Date(Math.ceil(Date.now() / 60_000 + seconds / 60) * 60_000)
  const parts = { weekday: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat(lang, parts).format(end)
}

function refuse(words: string): void {
  const place = document.getElementById('refusal')
  if (place === null) return
  place.textContent = words
  place.hidden = words === ''
}

function showStep(id: 'withdrawal' | 'confirmation'): void {
  refuse('')
  for (const one of ['withdrawal', 'confirmation']) {
    const form = document.getElementById(one)
    if (form !== null) form.hidden = one !== id
  }
}

function write(id: string, parts: readonly string[]): void {
  const spans = parts.map((part) => {
    const span = document.createElement('span')
    span.textContent = part
    return span
  })
  document.getElementById(id)?.replaceChildren(...spans)
}

function field(id: string): HTMLInputElement | HTMLSelectElement | null {
  const found = document.getElementById(id)
  return found instanceof HTMLInputElement || found instanceof HTMLSelectElement ? found : null
}

function said(name: string): string {
  return document.getElementById('withdrawal')?.dataset[name] ?? ''
}

function assetOf(form: HTMLFormElement): string[] {
  return (values(form)['asset'] ?? '').split(':')
}

function sourceOf(form: HTMLFormElement): string {
  return values(form)['source'] ?? form.dataset['source'] ?? ''
}

function values(form: HTMLFormElement): Record<string, string> {
  const all = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.trim()] as const] : [],
  )
  return Object.fromEntries(all)
}
