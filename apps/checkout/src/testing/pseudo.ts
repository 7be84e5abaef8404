import { parseMessage } from '../render/text/icu.ts'
import type { Piece } from '../render/text/icu.ts'
import { ENGLISH } from '../render/text/languages.ts'
import type { Catalogue, Language } from '../render/text/languages.ts'

const ACCENTS: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', c: 'ç', n: 'ñ', y: 'ý' }

/** How much longer than English the longest of the usual languages are. */
const LONGER = 0.4

/** English with accents and 40 % longer: what is cut off or not from a catalogue shows. */
export const LONG_ENGLISH: Language = {
  ...ENGLISH,
  code: 'en-XA',
  tag: 'en',
  name: 'Long English',
  texts: changed((text) => `${accented(text)} ${'·'.repeat(Math.ceil(plainLength(text) * LONGER))}`),
}

/** English with accents, written from right to left: what does not turn round shows. */
export const MIRRORED: Language = {
  ...ENGLISH,
  code: 'ar-XB',
  tag: 'ar',
  name: 'Mirrored',
  dir: 'rtl',
  texts: changed((text) => `\u202e${accented(text)}\u202c`),
}

function changed(change: (text: string) => string): Catalogue {
  const entries = Object.entries(ENGLISH.texts).map(([key, text]) => [key, change(text)])
  return Object.fromEntries(entries) as Catalogue
}

/** Names of facts and the words of a plural stay as they are. */
function accented(message: string): string {
  return printed(parseMessage(message))
}

function printed(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece.replace(/[aeioucny]/g, (letter) => ACCENTS[letter] ?? letter)
      if ('count' in piece) return '#'
      if ('fact' in piece) return `{${piece.fact}}`
      const cases = Object.entries(piece.cases).map(([category, inner]) => `${category} {${printed(inner)}}`)
      return `{${piece.plural}, plural, ${cases.join(' ')}}`
    })
    .join('')
}

function plainLength(message: string): number {
  return message.replace(/\{[^}]*\}/g, '').length
}
