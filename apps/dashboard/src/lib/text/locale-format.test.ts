import { i18n } from '@lingui/core'
import { afterEach, describe, expect, it } from 'vitest'

import { dayWords } from '../time/date-spans.ts'
import { fileSize } from './file-size.ts'
import { count, usd } from './format.ts'
import { timeAgo } from '../time/time.ts'

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

const speak = (locale: string) => i18n.loadAndActivate({ locale, messages: {} })
const NOW = new Date(2026, 10, 20, 14, 30)
const long = () => [
  count(1_234_567),
  dayWords(new Date(2026, 11, 4)),
  timeAgo(new Date(2026, 9, 12, 9, 5), NOW),
  fileSize(12_345),
]

describe('numbers and days', () => {
  it('are written the way the language of the page writes them, whichever it became last', () => {
    const english = ['1,234,567', '4 Dec 2026', '12 Oct 2026, 09:05', '12.3 kB']
    expect(long()).toEqual(english)
    speak('de')
    expect(long()).toEqual(['1.234.567', '4. Dez. 2026', '12. Okt. 2026, 09:05', '12,3 kB'])
    speak('en')
    expect(long()).toEqual(english)
  })

  it('leaves US dollars alone: they look the same in every language', () => {
    speak('de')
    expect(usd('1234.5')).toBe('$1,234.50')
  })
})
