import { isTextKey } from './languages.ts'
import type { Refused } from './view.ts'
import type { Words } from './words.ts'

/** Says why something was not done: translated by its code, as it was sent where there is no translation. */
export function refusalText(words: Words, { code, text, seconds }: Refused): string {
  const key = `refused.${code}`
  return isTextKey(key) ? words.text(key, { seconds }) : text
}
