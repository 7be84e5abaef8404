export type CurrencyCode = 'ETH' | 'BTC' | 'TRX' | 'POL' | 'SOL' | 'USDC' | 'USDT' | 'CBBTC'

export type Currency = {
  readonly id: number
  readonly code: CurrencyCode
  readonly name: string
  /** Pegged to one US dollar; priced through the peg guard. */
  readonly isStable: boolean
}

/** Every currency Kassa can credit; ids are stable. */
export const CURRENCIES: readonly Currency[] = [
  { id: 1, code: 'ETH', name: 'Ether', isStable: false },
  { id: 2, code: 'BTC', name: 'Bitcoin', isStable: false },
  { id: 3, code: 'TRX', name: 'TRON', isStable: false },
  { id: 4, code: 'POL', name: 'Polygon', isStable: false },
  { id: 5, code: 'SOL', name: 'Solana', isStable: false },
  { id: 6, code: 'USDC', name: 'USD Coin', isStable: true },
  { id: 7, code: 'USDT', name: 'Tether USD', isStable: true },
  { id: 8, code: 'CBBTC', name: 'Coinbase Wrapped BTC', isStable: false },
]

/** Former names that are still accepted as input. */
const FORMER_CODES: ReadonlyMap<string, CurrencyCode> = new Map([
  ['MATIC', 'POL'],
  ['TRON', 'TRX'],
])

/** Finds a currency by its id, or its code or former name in any case, or undefined. */
export function findCurrency(idOrCode: number | string): Currency | undefined {
  const text = String(idOrCode).toUpperCase()
  const wanted = FORMER_CODES.get(text) ?? text
  return CURRENCIES.find(({ id, code }) => String(id) === wanted || code === wanted)
}
