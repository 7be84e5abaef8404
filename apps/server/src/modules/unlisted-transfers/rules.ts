import { CURRENCIES, findCurrency } from '@kassa/primitives/chains/currencies.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

/** Notices kept of one address and one day (UTC): enough for every mistake of a person, too few for whoever sends spam. */
export const MOST_A_DAY = 10

const DAY_MS = 24 * 3_600_000

/** How long a notice is kept: who sent the wrong token asks within months. */
export const RETENTION_MS = 365 * DAY_MS

/** Characters of a contract's own name that are kept. */
const MOST_STORED = 64

/** What can be shown of it: no letters that look like others, no dots or slashes that make a link, nothing long. */
const SHOWABLE = /^[A-Za-z0-9]{1,11}$/

/** Digits that are read as letters. */
const READ_AS: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 3: 'E', 5: 'S', 7: 'T', 8: 'B', L: 'I' }

/** Longer names of listed currencies are not to be part of another's either ("USDCX"); within WETH nobody reads ETH. */
const LONG_NAME = 4

/** More digits before the point than any amount has that a person means. */
const MOST_WHOLE_DIGITS = 15

/** The begin of the day (UTC) that a moment lies in. */
export function dayOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS)
}

/** A contract's symbol as it is stored: cut, and without what PostgreSQL or a terminal stumbles over. */
export function storedSymbol(symbol: string | null): string | null {
  // oxlint-disable-next-line no-control-regex -- such characters are what is taken out
  const text = (symbol ?? '').replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').toWellFormed()
  return text === '' ? null : text.slice(0, MOST_STORED).toWellFormed()
}

/** Whole number of decimals that an amount can be printed with; null for any other claim. */
export function storedDecimals(decimals: number | null): number | null {
  return decimals !== null && Number.isInteger(decimals) && decimals >= 0 && decimals <= 36 ? decimals : null
}

export type ShownClaim = {
  readonly symbol: string | null
  readonly isLookAlike: boolean
  readonly amount: string | null
}

/** What may be shown of a contract's claims: a name that is harmless and nobody else's, an amount that means something. */
export function shownClaim({
  symbol,
  decimals,
  units,
}: {
  symbol: string | null
  decimals: number | null
  units: bigint
}): ShownClaim {
  const isLookAlike = symbol !== null && looksListed(symbol)
  return {
    symbol: symbol === null || isLookAlike || !SHOWABLE.test(symbol) ? null : symbol,
    isLookAlike,
    amount:
      decimals === null || units >= 10n ** BigInt(decimals + MOST_WHOLE_DIGITS) ? null : formatUnits(units, decimals),
  }
}

/** Whether people would take a name for that of a listed currency, in letters of whatever alphabet. */
function looksListed(symbol: string): boolean {
  if (findCurrency(symbol.trim())) return true
  const read = folded(symbol)
  return CURRENCIES.some(({ code, name }) => {
    const listed = folded(code)
    return read === listed || read === folded(name) || (code.length >= LONG_NAME && read.includes(listed))
  })
}

/** A name as the eye takes it: capitals without accents, look-alike letters and digits as one, nothing between them. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/./gu, (letter) => LOOKS_LIKE.get(letter) ?? letter)
    .replaceAll(/./g, (letter) => READ_AS[letter] ?? letter)
    .replaceAll(/[^A-Z]/g, '')
}

/** Capitals of other alphabets that look like Latin ones (Unicode TR39): those that names of currencies can be made of. */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  [
    ['A', 'ΑА'],
    ['B', 'ΒВ'],
    ['C', 'СϹ'],
    ['D', 'ԀᎠ'],
    ['E', 'ЕΕ'],
    ['H', 'НΗ'],
    ['I', 'ІΙӀ'],
    ['K', 'КΚ'],
    ['M', 'МΜ'],
    ['N', 'Ν'],
    ['O', 'ОΟ'],
    ['P', 'РΡ'],
    ['S', 'ЅՏ'],
    ['T', 'ТΤ'],
    ['U', 'ՍᏌ'],
    ['X', 'ХΧ'],
  ].flatMap(([latin = '', others = '']) => others.split('').map((other) => [other, latin] as const)),
)
