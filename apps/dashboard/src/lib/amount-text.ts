/** Amounts of money as people type them: the point parts decimals, commas part thousands, and nothing is guessed. */
import { plural, t } from '@lingui/core/macro'

/**
 * Decimals of a dollar amount that an operator types. The wire takes six; whoever means a thousand by "1.234" is asked,
 * not taken at a thousandth of it.
 */
export const CENTS = 2

/** Commas that part thousands, and nothing else. */
const THOUSANDS = /^\d{1,3}(,\d{3})+(\.\d*)?$/

const PLAIN = /^\d*\.?\d*$/

/** Returns why a text is no amount of so many decimals, and what to type; an empty one is none yet. */
export function whyNoAmount(text: string, decimals: number): string | undefined {
  if (!/^[\d.,]*$/.test(text)) return t`Digits and one decimal point only`
  if (text.includes(',') && !THOUSANDS.test(text)) return t`For decimals use a point, as in 1.50`
  if (!text.includes(',') && !PLAIN.test(text)) return t`Digits and one decimal point only`
  const [, fraction = ''] = text.split('.')
  if (fraction.length <= decimals) return undefined
  return decimals === CENTS && fraction.length === 3
    ? t`At most 2 decimals. For thousands type no point: 1234`
    : plural(decimals, { one: 'At most # decimal', other: 'At most # decimals' })
}

/** Returns the errors of the named amounts of a form in US dollars. */
export function dollarErrors<Name extends string>(
  values: Readonly<Record<Name, string>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found = names.map((name) => [name, whyNoAmount(values[name], CENTS)] as const)
  return Object.fromEntries(found.filter(([, why]) => why !== undefined)) as Partial<Record<Name, string>>
}
