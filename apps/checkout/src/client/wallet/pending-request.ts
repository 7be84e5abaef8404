import type { PayFacts, WalletTexts } from '../../render/panels/wallet.ts'

/** Reads which transfer the page asks for now; the page is redrawn while a wallet is open. */
export function currentPayFacts(): PayFacts | null {
  const pay = document.getElementById('view')?.dataset['pay']
  return pay === undefined ? null : (JSON.parse(pay) as PayFacts)
}

/** The texts of the last page that had any: a page redrawn after payment has none, while a wallet step still needs them. */
let lastTexts: WalletTexts | undefined

/** Gives the texts of the wallet steps. */
export function texts(): WalletTexts {
  lastTexts = currentPayFacts()?.texts ?? lastTexts
  if (lastTexts === undefined) throw new Error('The page asks for no transfer')
  return lastTexts
}

/** Tells whether two pages ask for the same transfer. */
export function isSameTransfer(one: PayFacts, other: PayFacts): boolean {
  return (['chainId', 'to', 'token', 'units'] as const).every((name) => one[name] === other[name])
}

/** Tells whether the locked rate has ended by the server's clock. */
export function isExpired({ until }: PayFacts): boolean {
  return serverNow() >= Date.parse(until)
}

/** Reads the server's clock; `clock.ts` stores how far that is ahead of this device. */
export function serverNow(): number {
  return Date.now() + Number(document.documentElement.dataset['ahead'] ?? 0)
}
