import { amount, amountText } from './amounts.ts'
import { html } from '../markup/html.ts'
import type { Html, Part } from '../markup/html.ts'
import { parseMessage } from './icu.ts'
import type { Piece } from './icu.ts'
import { chooseLanguage } from './languages.ts'
import type { Language, TextKey } from './languages.ts'

/** Money in a sentence: drawn with every digit, left to right in every language. */
export type Money = { readonly amount: string; readonly unit: string }

/** What a sentence is filled with; markup stands as it is, text is isolated so that it keeps its own direction. */
export type TextValue = Html | Money | string | number | null | undefined

export type TextValues = Readonly<Record<string, TextValue>>

/** Speaks one language: the only way a text gets onto a page. */
export type Translator = {
  readonly language: Language
  /** Fills a message for the document. */
  readonly say: (key: TextKey, facts?: TextValues) => Html
  /** Fills a message as plain text, for titles, attributes and mails. */
  readonly text: (key: TextKey, facts?: TextValues) => string
  /** Prints a clock time in the one zone a page without a script knows: "05:26 UTC". */
  readonly clockTime: (at: Date) => string
  /** Prints day and clock time: "20 Nov 2026, 05:14 UTC". */
  readonly dayAndTime: (at: Date) => string
}

/** Makes the translator of a language. */
export function translatorOf(language: Language): Translator {
  const numbers = new Intl.NumberFormat(language.tag)
  const plurals = new Intl.PluralRules(language.tag)
  const clock = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' } as const
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const

  const fill = <T>(pieces: readonly Piece[], facts: TextValues, print: (fact: TextValue) => T, counted?: number): T[] =>
    pieces.flatMap((piece) => {
      if (typeof piece === 'string') return [print(html`${piece}`)]
      if ('count' in piece) return [print(counted)]
      if ('fact' in piece) return [print(facts[piece.fact])]
      const number = Number(facts[piece.plural] ?? 0)
      const chosen = piece.cases[`=${number}`] ?? piece.cases[plurals.select(number)] ?? piece.cases['other'] ?? []
      return fill(chosen, facts, print, number)
    })
  const draw = (fact: TextValue): Part => {
    if (typeof fact === 'number') return numbers.format(fact)
    if (typeof fact === 'string') return fact === '' ? '' : html`<bdi>${fact}</bdi>`
    return isMoney(fact) ? amount(fact.amount, fact.unit) : fact
  }
  const print = (fact: TextValue): string => {
    if (typeof fact === 'number') return numbers.format(fact)
    if (isMoney(fact)) return amountText(fact.amount, fact.unit)
    return typeof fact === 'object' && fact !== null ? plain(fact) : (fact ?? '')
  }
  return {
    language,
    say: (key, facts = {}) => html`${fill(parseMessage(language.texts[key]), facts, draw)}`,
    text: (key, facts = {}) => fill(parseMessage(language.texts[key]), facts, print).join(''),
    clockTime: (at) => new Intl.DateTimeFormat(language.tag, clock).format(at),
    dayAndTime: (at) => new Intl.DateTimeFormat(language.tag, { ...day, ...clock }).format(at),
  }
}

const HALF_DAY_MS = 12 * 3_600_000

/** Prints a time to come: the clock time, with its day where that is not near. */
export function timeToCome(
  { clockTime, dayAndTime }: Pick<Translator, 'clockTime' | 'dayAndTime'>,
  at: Date,
  now: Date,
): string {
  return at.getTime() - now.getTime() > HALF_DAY_MS ? dayAndTime(at) : clockTime(at)
}

type Wanted = {
  readonly translator?: Translator | undefined
  readonly lang?: string | undefined
  readonly acceptLanguage?: string | undefined
  /** The language of the project, before the browser's; empty: none. */
  readonly preferred?: string
}

/** Makes the translator a reader wants: one that is given (tests), else the address's language, the project's, the browser's. */
export function translatorFor({ translator, lang, acceptLanguage, preferred = '' }: Wanted): Translator {
  return translator ?? translatorOf(chooseLanguage(lang, acceptLanguage, preferred))
}

function isMoney(fact: TextValue): fact is Money {
  return typeof fact === 'object' && fact !== null && 'unit' in fact
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Reads markup as its text. */
function plain({ text }: Html): string {
  return text.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}
