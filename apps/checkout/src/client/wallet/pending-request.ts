import type { PayFacts, WalletTexts } from '../../render/panels/wallet.ts'

/** Reads what the page asks for; it is redrawn while a wallet is asked. */
export function payOnScreen(): PayFacts | null {
  const pay = document.getElementById('view')?.dataset['pay']
  return pay === undefined ? null : (JSON.parse(pay) as PayFacts)
}

/** A redrawn page that asks for nothing any more has no texts: the last ones are as good. */
let lastTexts: WalletTexts | undefined

/** Gives what the wallet part says. */
export function texts(): WalletTexts {
  lastTexts = payOnScreen()?.texts ?? lastTexts
  if (lastTexts === undefined) throw new Error('Nothing is asked for')
  return lastTexts
}

/** Tells whether two pages ask for the same transfer. */
export function isSame(one: PayFacts, other: PayFacts): boolean {
  return (['chainId', 'to', 'token', 'units'] as const).every((name) => one[name] === other[name])
}

/** Tells whether the price has lapsed, by the server's clock: `clock.ts` notes how far it is ahead of this device's. */
export function isExpired({ until }: PayFacts): boolean {
  const ahead = Number(document.documentElement.dataset['ahead'] ?? 0)
  return Date.now() + ahead >= Date.parse(until)
}
