import { CURRENCIES, findCurrency } from '@kassa/primitives/chains/currencies.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

/** Notices stored for one address and day (UTC): enough for every human mistake, too few for spam. */
export const MOST_A_DAY = 10

const DAY_MS = 24 * 3_600_000

/** How long a notice is stored: people who sent the wrong token ask within months. */
export const RETENTION_MS = 365 * DAY_MS

/** Characters of a contract's own name that are kept. */
const MOST_STORED = 64

/** What may be shown of a name: no letters that look like others, no dots or slashes that make a link, nothing long. */
const SHOWABLE = /^[A-Za-z0-9]{1,11}$/

/** Digits that are read as letters. */
const READ_AS: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 3: 'E', 5: 'S', 7: 'T', 8: 'B', L: 'I' }

/** A longer name of a listed currency must not be part of another name either ("USDCX"); WETH does not read as ETH. */
const LONG_NAME = 4

/** More digits before the point than any real amount has. */
const MOST_WHOLE_DIGITS = 15

/** The begin of the day (UTC) that a moment lies in. */
export function dayOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS)
}

/** A contract's symbol as it is stored: shortened, and without characters that PostgreSQL or a terminal cannot handle. */
export function storedSymbol(symbol: string | null): string | null {
  // oxlint-disable-next-line no-control-regex -- such characters are what is taken out
  const text = (symbol ?? '').replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').toWellFormed()
  return text === '' ? null : text.slice(0, MOST_STORED).toWellFormed()
}

/** The number of decimals that an amount can be printed with; null for any other claim. */
export function storedDecimals(decimals: number | null): number | null {
  return decimals !== null && Number.isInteger(decimals) && decimals >= 0 && decimals <= 36 ? decimals : null
}

export type ShownClaim = {
  readonly symbol: string | null
  readonly isLookAlike: boolean
  readonly amount: string | null
}

/** What may be shown of a contract's claims: a harmless name that no listed currency has, and an amount that makes sense. */
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

/** A name reduced to how it looks: capitals without accents, look-alike letters and digits replaced, nothing between them. */
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
