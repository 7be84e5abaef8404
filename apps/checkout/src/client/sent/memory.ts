/** A payment that a wallet of this tab was asked to send: what this tab remembers when its page is loaded again. Nothing of it is secret. */
export type SentPayment = {
  readonly reference: string
  /** When the wallet was asked, by the server's clock; no two of a payment have the same. */
  readonly at: number
  /** Null until the wallet has answered. */
  readonly hash: string | null
  /** The amount, and the network's name and code, as the page wrote them. */
  readonly amount: string
  readonly network: string
  readonly chain: string
  /** The page of an explorer for it; null where there is none. */
  readonly link: string | null
  /** Until when a block can take it, for networks where that ends. */
  readonly until?: number
  /** A node says that another transaction took its place: maybe a faster one for the same. */
  readonly isReplaced?: true
  /** Why it can no longer arrive, once that is proved. */
  readonly end?: 'tooLate' | 'failed'
  /** The customer pays once more, although it may still arrive. */
  readonly paysAgain?: true
}

const KEY = 'kassa.checkout.sent'

/** More than a person sends in one tab; the oldest is forgotten. */
const MOST = 20

/** Gives what was sent for a payment, newest first. */
export function sentFor(reference: string): readonly SentPayment[] {
  return read().filter((sent) => sent.reference === reference)
}

/** Stores what was sent, in the place of what was known of it before. */
export function rememberSent(sent: SentPayment): void {
  const all = read()
  const isKnown = all.some((other) => isSame(other, sent))
  write(isKnown ? all.map((other) => (isSame(other, sent) ? sent : other)) : [sent, ...all].slice(0, MOST))
}

/** Forgets what was sent: it was seen, or nothing was sent. */
export function forgetSent(sent: SentPayment): void {
  write(read().filter((other) => !isSame(other, sent)))
}

function isSame(one: SentPayment, other: SentPayment): boolean {
  return one.reference === other.reference && one.at === other.at
}

/** Storage may be switched off: then the document remembers, for both scripts of the page, until it is loaded again. */
function read(): readonly SentPayment[] {
  const { dataset } = document.documentElement
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as readonly SentPayment[]
  } catch {
    return JSON.parse(dataset['sentPayments'] ?? '[]') as readonly SentPayment[]
  }
}

function write(all: readonly SentPayment[]): void {
  const text = JSON.stringify(all)
  try {
    if (all.length === 0) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, text)
  } catch {
    document.documentElement.dataset['sentPayments'] = text
  }
}
