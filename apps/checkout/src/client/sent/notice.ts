import type { SentFacts } from '../../render/panels/sent.ts'
import { currentView } from '../view.ts'
import { serverNow } from '../wallet/pending-request.ts'
import { forgetSent, rememberSent, sentFor } from './memory.ts'
import type { SentPayment } from './memory.ts'

/** A transfer with an ordinary fee is seen within minutes; only after this long is it offered to pay once more. */
const OVERDUE_MS = 30 * 60_000

/** Reads what the page says about the payment; null on a page of none. */
export function sentFacts(): SentFacts | null {
  const facts = document.getElementById('sent')?.dataset['facts']
  return facts === undefined ? null : (JSON.parse(facts) as SentFacts)
}

/** Gives what was sent for the payment of this page and was not seen yet; forgets what was. */
export function unseenPayments(): readonly SentPayment[] {
  const [facts, reference] = [sentFacts(), currentView()?.dataset['reference']]
  if (facts === null || reference === undefined) return []
  const known = new Set(facts.known.map(keyOf))
  return sentFor(reference).filter((sent) => {
    const isOver = facts.isPaid || (sent.hash !== null && known.has(keyOf(sent.hash)))
    if (isOver) forgetSent(sent)
    return !isOver && document.documentElement.dataset['asking'] !== String(sent.at)
  })
}

/** Wallets and explorers write the same hash with a prefix or without, in capitals or not. */
function keyOf(hash: string): string {
  return hash.replace(/^0x/i, '').toLowerCase()
}

/** Says what was sent in place of what asks for money, until it is seen, cannot arrive, or the customer pays once more. */
export function drawSent(): void {
  const place = document.getElementById('sent')
  const facts = sentFacts()
  if (place === null || facts === null) return
  const remembered = unseenPayments()
  const unseen = facts.isSeen ? [] : remembered
  const waiting = unseen.find(({ end, paysAgain }) => end === undefined && paysAgain !== true)
  document.documentElement.toggleAttribute('data-sent', waiting !== undefined)
  const drawn = document.createElement('div')
  drawn.append(...unseen.map((sent) => notice(sent, facts, facts.isHeadline && sent === waiting)))
  // A region that is drawn anew is read out again.
  if (drawn.innerHTML !== place.innerHTML) place.replaceChildren(...drawn.childNodes)
}

/** Tells whether something was sent that keeps the page from asking for money. */
export function isSentWaiting(): boolean {
  return document.documentElement.hasAttribute('data-sent')
}

/** Lets the customer pay once more; that the first payment may still arrive stays on the page. */
export function payAgain(): void {
  for (const sent of unseenPayments()) rememberSent({ ...sent, paysAgain: true })
  drawSent()
  document.getElementById('headline')?.focus({ preventScroll: true })
}

function notice(sent: SentPayment, { texts }: SentFacts, isHeadline: boolean): HTMLElement {
  const box = element('div', isHeadline ? '' : 'note')
  if (sent.end === undefined) {
    box.append(sentence(isHeadline ? 'h1' : 'p', sent, texts), element('p', '', texts.warning))
  } else box.append(element('p', '', texts[sent.end]))
  const presses = [explorerLink(sent, texts), againButton(sent, texts)].filter((one) => one !== null)
  if (presses.length > 0) {
    const row = element('div', 'actions')
    row.append(...presses)
    box.append(row)
  }
  return box
}

/** Facts keep their own direction in a text of another, and stay on one line. */
function sentence(name: string, { hash, amount, network }: SentPayment, texts: SentFacts['texts']): HTMLElement {
  const facts: Readonly<Record<string, string>> = { hash: shortOf(hash ?? ''), amount, network }
  const made = element(name, '')
  // Every second part is the name of a fact.
  for (const [at, part] of (hash === null ? texts.asked : texts.sent).split(/\{(\w+)\}/).entries()) {
    made.append(at % 2 === 0 ? part : element('bdi', 'nw', facts[part]))
  }
  return made
}

function shortOf(hash: string): string {
  return `${hash.replace(/^0x/, '').slice(0, 4)}…${hash.slice(-4)}`
}

function explorerLink({ link }: SentPayment, texts: SentFacts['texts']): HTMLElement | null {
  if (link === null || !/^https?:\/\//.test(link)) return null
  const anchor = Object.assign(document.createElement('a'), {
    href: link,
    target: '_blank',
    rel: 'noopener noreferrer',
  })
  anchor.className = 'button'
  anchor.append(texts.explorer, element('span', 'vh', ` (${texts.newTab})`))
  return anchor
}

/** A wallet that has not answered is asked by its owner; what it sent is waited for. */
function againButton(
  { hash, at, end, paysAgain, isReplaced }: SentPayment,
  texts: SentFacts['texts'],
): HTMLElement | null {
  if (end !== undefined || paysAgain === true) return null
  if (hash !== null && isReplaced !== true && serverNow() < at + OVERDUE_MS) return null
  const button = element('button', 'button', texts.again)
  button.dataset['payAgain'] = ''
  return button
}

function element(name: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.textContent = text
  return made
}
