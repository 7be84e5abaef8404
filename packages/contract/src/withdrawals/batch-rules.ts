/** What a screen checks of a list of payouts before it is sent, as the server does. */

/** As many payouts as one list has, because one person approves as many together. */
export const MOST_REQUESTED = 100

/** Returns the places of texts that stand further up already, ascending. */
export function repeatedRows(texts: readonly string[]): number[] {
  const seen = new Set<string>()
  return texts.flatMap((one, at) => {
    const isRepeated = seen.has(one)
    seen.add(one)
    return isRepeated ? [at] : []
  })
}
