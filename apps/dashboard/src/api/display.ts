import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { Display } from '@kassa/contract/operators/display.ts'
import type { QueryClient } from '@tanstack/react-query'

import { type DisplayChoice, showOfAccount } from '../lib/display/display.ts'
import { call } from './client.ts'
import { storedUser } from './session.ts'

/** Choices that are on their way, oldest first: they are sent one after the other, so that the last one stays. */
let sending: readonly DisplayChoice[] = []
let last: Promise<unknown> = Promise.resolve()

/** How often something was chosen here: what was asked of the account before is then older than what is shown. */
let choices = 0

/** What the account is known to have. */
let saved: Partial<Display> = {}

/** Returns what `showDisplay` compares: it changes with each choice, and with who is signed in. */
export function displayMark(): string {
  return `${choices} ${storedUser()?.key ?? ''}`
}

/** Shows what was read of the account, unless it is outdated: `mark` is that of when it was asked for. */
export function showDisplay(display: Display, mark: string): void {
  if (mark !== displayMark() || storedUser() === undefined || sending.length > 0) return
  saved = display
  try {
    showOfAccount(display)
  } catch {
    // Storage is switched off: the settings of the program stand.
  }
}

/**
 * Keeps a choice with the account: it shows at once, and is taken back when the server refuses it. What still waits when the
 * operator signs out is not sent: somebody else may be signed in by then. @throws RequestError
 */
export async function keepDisplay(client: QueryClient, choice: DisplayChoice): Promise<void> {
  const key = storedUser()?.key
  const isSignedIn = () => key !== undefined && storedUser()?.key === key
  choices += 1
  sending = [...sending, choice]
  showOfAccount(choice)
  const sent = last.then(async () => {
    if (isSignedIn()) await call(authRoutes.changeMe, { body: { display: choice } })
  })
  last = sent.catch(() => undefined)
  try {
    await sent
    if (isSignedIn()) saved = { ...saved, ...choice }
  } finally {
    sending = sending.filter((other) => other !== choice)
    if (isSignedIn()) showOutcome(choice)
    if (sending.length === 0) await client.invalidateQueries({ queryKey: ['me'] })
  }
}

/** Shows of the settings of a choice what the account has, and what is still on its way. */
function showOutcome(choice: DisplayChoice): void {
  const now = sending.reduce<Partial<Display>>((shown, one) => ({ ...shown, ...one }), saved)
  const names = Object.keys(choice) as (keyof Display)[]
  showOfAccount(Object.fromEntries(names.map((name) => [name, now[name] ?? null])))
}
