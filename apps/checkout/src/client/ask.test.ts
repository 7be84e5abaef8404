// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { renderCheckout } from '../render/page.ts'
import type { CheckoutView } from '../render/view.ts'
import { SAMPLES } from '../testing/samples.ts'
import { VARIANTS } from '../testing/variants.ts'
import { sendQuestions } from './ask.ts'
import { differs, rememberSnapshot, replaceView } from './view.ts'

const fresh = (view: CheckoutView) => new DOMParser().parseFromString(renderCheckout(view).html, 'text/html')

function show(view: CheckoutView): void {
  document.documentElement.innerHTML = fresh(view).documentElement.innerHTML
}

function element<T extends HTMLElement = HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector)
  if (found === null) throw new Error(`no ${selector}`)
  return found
}

const words = (selector: string) => (element(selector).textContent ?? '').replace(/\s+/g, ' ').trim()

let sent: string[] = []
let answers: (() => Promise<Response>)[] = []

sendQuestions()

beforeEach(() => {
  sent = []
  answers = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: URLSearchParams }) => {
    sent.push(body.toString())
    return (answers.shift() ?? (() => Promise.reject(new Error('offline'))))()
  })
})
afterEach(() => void vi.unstubAllGlobals())

const answerWith = (view: CheckoutView, status = 200) =>
  answers.push(async () => new Response(renderCheckout(view).html, { status }))

async function ask(hash: string): Promise<void> {
  element('#already-paid').setAttribute('open', '')
  element<HTMLInputElement>('#tx-hash').value = hash
  element('form[data-ask]').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  await vi.waitFor(() => expect(element('#find').hasAttribute('aria-busy')).toBe(false))
}

describe('ask', () => {
  it('brings the answer into the region that was there, and leaves the rest of the page alone', async () => {
    show(SAMPLES.waiting)
    const [region, view] = [element('#answer'), element('#view')]
    answerWith(VARIANTS['asked-not-found'])
    await ask('0x9f3c')
    expect(sent).toEqual(['txHash=0x9f3c&blockchainCode='])
    expect(element('#answer')).toBe(region)
    expect(words('#answer h2')).toBe('Not found yet')
    expect([element('#view'), element<HTMLInputElement>('#tx-hash').value]).toEqual([view, '0x9f3c'])
  })

  it('leads back to the field when the text is no hash, and forgets that with the next answer', async () => {
    show(SAMPLES.waiting)
    answerWith(VARIANTS['asked-nonsense'])
    await ask('order 4711')
    expect(words('#answer')).toBe('This is not a valid transaction hash')
    expect(document.activeElement?.id).toBe('tx-hash')
    expect(element('#tx-hash').getAttribute('aria-describedby')).toBe('tx-help refusal')
    answerWith(VARIANTS['asked-confirming'])
    await ask('0x9f3c')
    expect(element('#tx-hash').hasAttribute('aria-invalid')).toBe(false)
  })

  it('says when it is asked too often, and when the server does not answer', async () => {
    show(SAMPLES.waiting)
    answerWith(VARIANTS['asked-too-often'], 429)
    await ask('0x9f3c')
    expect(words('#answer')).toContain('Try again in 10 seconds')
    await ask('0x9f3c')
    expect(words('#answer')).toBe('Temporarily unavailable. Nothing is lost; try again in a moment.')
    answers.push(async () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await ask('0x9f3c')
    expect(words('#answer')).toBe('Temporarily unavailable. Nothing is lost; try again in a moment.')
  })

  it('asks without the hash by its own form, and marks what was typed there', async () => {
    show(SAMPLES.waiting)
    answerWith(VARIANTS['asked-without-hash-nonsense'])
    for (const id of ['already-paid', 'no-hash']) element(`#${id}`).setAttribute('open', '')
    element<HTMLInputElement>('#sent-amount').value = 'a lot'
    const form = element('#no-hash form')
    form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    await vi.waitFor(() => expect(words('#answer')).toBe('Enter an amount such as 49, or a complete address.'))
    expect(sent).toEqual(['amount=a+lot&address=&paidOn='])
    expect(document.activeElement?.id).toBe('sent-amount')
    expect(element('#tx-hash').hasAttribute('aria-invalid')).toBe(false)
  })

  it('is sent once however often the button is pressed', async () => {
    show(SAMPLES.waiting)
    let release: (response: Response) => void = () => {}
    answers.push(() => new Promise((resolve) => (release = resolve)))
    const asked = ask('0x9f3c')
    element('form[data-ask]').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    expect(words('#answer')).toBe('Looking…')
    release(new Response(renderCheckout(VARIANTS['asked-confirming']).html))
    await asked
    expect(sent).toHaveLength(1)
  })
})

describe('view.swap with a question', () => {
  it('loses nothing of what is being typed when the state changes', () => {
    show(SAMPLES.waiting)
    const field = element<HTMLInputElement>('#tx-hash')
    element('#already-paid').setAttribute('open', '')
    field.value = '0x9f3c1d'
    field.focus()
    field.setSelectionRange(2, 4)
    replaceView(fresh(SAMPLES['partly-open']))
    expect(words('h1')).toBe('0.4 USDC is still missing.')
    expect([document.activeElement, field.value, field.selectionStart, field.selectionEnd]).toEqual([
      field,
      '0x9f3c1d',
      2,
      4,
    ])
    expect(element('#already-paid').hasAttribute('open')).toBe(true)
  })

  it('ends with the need for it, and focus does not fall into nothing', () => {
    show(SAMPLES.waiting)
    element('#already-paid').setAttribute('open', '')
    element('#tx-hash').focus()
    replaceView(fresh(SAMPLES.confirming))
    expect(document.querySelector('#already-paid')).toBeNull()
    expect(document.activeElement?.id).toBe('checkout')
    replaceView(fresh(SAMPLES.reverted))
    expect(document.querySelector('#already-paid')).not.toBeNull()
  })

  it('is asked for only by something that looks different: the moment alone does not', () => {
    show(SAMPLES.waiting)
    rememberSnapshot()
    const later = { ...SAMPLES.waiting, now: new Date(SAMPLES.waiting.now.getTime() + 60_000) }
    expect(differs(fresh(later))).toBe(false)
    expect(differs(fresh({ ...SAMPLES['network-behind'] }))).toBe(true)
    replaceView(fresh(SAMPLES['network-behind']))
    expect(differs(fresh(SAMPLES['network-behind']))).toBe(false)
    expect(differs(fresh(SAMPLES.waiting))).toBe(true)
  })
})
