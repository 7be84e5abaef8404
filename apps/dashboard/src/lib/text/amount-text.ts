/** Amounts of money as people type them: the point parts decimals, commas part thousands, and nothing is guessed. */
import { plural, t } from '@lingui/core/macro'

/**
 * Decimals of a dollar amount that an operator types. The wire takes six; an operator who means a thousand by "1.234" is asked,
 * not taken at a thousandth of it.
 */
export const CENTS = 2

/** Commas that part thousands, and nothing else: "0,500" is half of something where a comma is a point. */
const THOUSANDS = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/

const PLAIN = /^\d*\.?\d*$/

/** The API accepts at most so many digits before the point. */
const WHOLE_DIGITS = 12

/** The characters around a copied amount of a currency. */
function marksOf(currency: string): readonly string[] {
  return currency === 'USD' ? ['US$', '$', 'USD'] : [currency]
}

/** Returns what was typed or pasted without spaces and without the sign or code of its own currency: "$49" and "49 USD" are 49. */
export function bareAmount(text: string, currency: string): string {
  const bare = text.replace(/\s/g, '')
  const folded = bare.toUpperCase()
  const before = marksOf(currency).find((mark) => folded.startsWith(mark)) ?? ''
  const rest = bare.slice(before.length)
  const after = marksOf(currency).find((mark) => rest.toUpperCase().endsWith(mark)) ?? ''
  return rest.slice(0, rest.length - after.length)
}

/** Returns an amount as it goes over the wire: no commas, digits on both sides of a point. What cannot be read stays as it is. */
export function wireAmount(bare: string, decimals: number): string {
  if (amountError(bare, decimals) !== undefined) return bare
  const [whole = '', fraction = ''] = bare.replaceAll(',', '').split('.')
  return fraction === '' ? whole : `${whole === '' ? '0' : whole}.${fraction}`
}

/** Returns why a text is no amount of so many decimals, and what to type; an empty one is none yet. */
export function amountError(text: string, decimals: number): string | undefined {
  if (!/^[\d.,]*$/.test(text)) return t`Digits and one decimal point only`
  if (text.includes(',') && !THOUSANDS.test(text)) return t`For decimals use a point, as in 1.50`
  if (!text.includes(',') && !PLAIN.test(text)) return t`Digits and one decimal point only`
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.')
  const digits = WHOLE_DIGITS
  if (whole.replace(/^0+/, '').length > digits) {
    return plural(digits, { one: 'At most # digit before the point', other: 'At most # digits before the point' })
  }
  if (fraction.length <= decimals) return undefined
  return decimals === CENTS && fraction.length === 3 && /[1-9]/.test(whole)
    ? t`At most 2 decimals. For thousands type no point: 1234`
    : plural(decimals, { one: 'At most # decimal', other: 'At most # decimals' })
}

/** Returns the errors of the named amounts of a form in US dollars. */
export function dollarErrors<Name extends string>(
  values: Readonly<Record<Name, string>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found = names.map((name) => [name, amountError(values[name], CENTS)] as const)
  return Object.fromEntries(found.filter(([, why]) => why !== undefined)) as Partial<Record<Name, string>>
}
