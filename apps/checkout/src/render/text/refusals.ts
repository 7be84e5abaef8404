import { isTextKey } from './languages.ts'
import type { Refused } from '../view.ts'
import type { Translator } from './translator.ts'

/** Says why something was not done: translated by its code, as it was sent where there is no translation. */
export function refusalText(translator: Translator, { code, text, seconds }: Refused): string {
  const key = `refused.${code}`
  return isTextKey(key) ? translator.text(key, { seconds }) : text
}
