import { describe, expect, it } from 'vitest'

import { factsOf, parseMessage } from './icu.ts'
import { ENGLISH, findLanguage } from './languages.ts'
import { translatorOf } from './translator.ts'

/** A language whose text `check` is another one. */
const saying = (check: string, code = 'en') =>
  translatorOf({ ...(findLanguage(code) ?? ENGLISH), texts: { ...ENGLISH.texts, check } })

describe('messages', () => {
  it('are filled with facts, each isolated and escaped in a document, bare in a text', () => {
    const translator = saying('Back to {merchant}')
    expect(translator.say('check', { merchant: '<b>' }).text).toBe('Back to <bdi>&lt;b&gt;</bdi>')
    expect(translator.text('check', { merchant: '<b>' })).toBe('Back to <b>')
    expect(translator.text('check')).toBe('Back to ')
  })

  it('draw money with every digit, from left to right, and print it as a number', () => {
    const translator = saying('Send {amount}', 'ar')
    const amount = { amount: '0.004788009412', unit: 'ETH' }
    expect(translator.say('check', { amount }).text).toContain('<bdi dir="ltr" class="nw">')
    expect(translator.text('check', { amount })).toBe('Send 0.004788009412 ETH')
  })

  it('choose the form of a plural as the language does', () => {
    const count = '{n, plural, =0 {none} one {# one} two {# two} few {# few} many {# many} other {# other}}'
    const forms = (code: string, ...numbers: number[]) =>
      numbers.map((n) => saying(count, code).text('check', { n }).split(' ').at(-1))
    expect(forms('en', 0, 1, 2)).toEqual(['none', 'one', 'other'])
    expect(forms('pl', 1, 3, 5)).toEqual(['one', 'few', 'many'])
    expect(forms('ar', 2, 3, 11)).toEqual(['two', 'few', 'many'])
    expect(forms('ja', 1, 2)).toEqual(['other', 'other'])
  })

  it('hold facts and text inside a plural', () => {
    const translator = saying('{n, plural, one {# of {total} left} other {# of {total} are left}}.')
    expect(translator.text('check', { n: 3, total: '12' })).toBe('3 of 12 are left.')
    expect(factsOf('{n, plural, one {# of {total}} other {{what}}} {n}')).toEqual(['n', 'total', 'what'])
  })

  it('are refused where they are not understood', () => {
    for (const broken of ['{', 'a } b', '{n, plural, one {x}}', '{n, select, a {x} other {y}}', '{not a fact}'])
      expect(() => parseMessage(broken)).toThrow(SyntaxError)
  })
})
