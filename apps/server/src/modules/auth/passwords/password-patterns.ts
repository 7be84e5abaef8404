/** Passwords that are no words: paths over the keyboard, alphabets, repetitions and numbers that are easy to remember. */

/** Rows and columns of keyboards (US, German, French), as a finger goes over them. */
const ROWS = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
]
const COLUMNS = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik', '9ol', '1qay', '1aqw', '2zsx']
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
const RUNS = [...ROWS, ...COLUMNS, ALPHABET, '0123456789'].flatMap((run) => [
  run,
  Array.from(run).toReversed().join(''),
])

/** Signs on the keys of digits (US), which a finger reaches with the same movement. */
const SHIFTED: Readonly<Record<string, string>> = {
  ...{ '!': '1', '@': '2', '#': '3', $: '4', '%': '5', '^': '6', '&': '7', '*': '8' },
}

/** Two keys are a coincidence, three a movement. */
const SHORTEST_RUN = 3

/**
 * Whether a text in lower case is typed without thinking of a word: one movement over the keyboard after another (`1qaz@wsx`),
 * two of them in turn (`q1w2e3r4`), a sign repeated (`aaaa`), or the same few signs again and again (`a1a1a1`).
 */
export function isPattern(text: string): boolean {
  if (isRepeated(text) || isPath(text)) return true
  const [odd, even] = [everySecond(text, 0), everySecond(text, 1)]
  return isEasy(odd) && isEasy(even)
}

function isEasy(text: string): boolean {
  return text.length >= SHORTEST_RUN && (isRepeated(text) || isPath(text))
}

/** A chunk of up to four signs, twice or more. */
function isRepeated(text: string): boolean {
  return /^(.{1,4})\1+$/.test(text)
}

/** Whether a text divides into movements of three keys and more. */
function isPath(text: string): boolean {
  const keys = Array.from(text, (sign) => SHIFTED[sign] ?? sign).join('')
  const reached = [true]
  for (let end = SHORTEST_RUN; end <= keys.length; end += 1) {
    reached[end] = Array.from({ length: end - SHORTEST_RUN + 1 }, (_, start) => start).some(
      (start) => reached[start] === true && isRun(keys.slice(start, end)),
    )
  }
  return keys.length >= SHORTEST_RUN && reached[keys.length] === true
}

function isRun(keys: string): boolean {
  return /^(.)\1+$/.test(keys) || RUNS.some((run) => run.includes(keys))
}

function everySecond(text: string, from: number): string {
  return Array.from(text)
    .filter((_, at) => at % 2 === from)
    .join('')
}

/** Up to four digits are found by trying all of them: years, days, PINs. */
const SHORT_NUMBER = 4

/** Whether a number beside a word adds nothing: it is short, a date, or a pattern; so is none at all. */
export function isEasyNumber(digits: string): boolean {
  if (digits.length <= SHORT_NUMBER || isPattern(digits) || isDate(digits)) return true
  // 112233: each digit twice.
  return /^(?:(\d)\1)+$/.test(digits)
}

/** Day, month and year in any order, with a year of two or four digits. */
function isDate(digits: string): boolean {
  const [day, month, year] = ['(0[1-9]|[12]\\d|3[01])', '(0[1-9]|1[0-2])', '(\\d\\d|19\\d\\d|20\\d\\d)']
  return [`${day}${month}${year}`, `${month}${day}${year}`, `${year}${month}${day}`].some((form) =>
    new RegExp(`^${form}$`).test(digits),
  )
}

/** The languages whose months and weekdays are typed in Latin letters by many people. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'tr', 'id']

/** Names of months and weekdays, in lower case and without accents. */
export function calendarWords(): string[] {
  return LANGUAGES.flatMap((language) => {
    const [months, days] = (['month', 'weekday'] as const).map(
      (part) => new Intl.DateTimeFormat(language, { [part]: 'long', timeZone: 'UTC' }),
    )
    return Array.from({ length: 12 }, (_, at) => [
      months?.format(Date.UTC(2024, at, 1)) ?? '',
      days?.format(Date.UTC(2024, 0, 1 + at)) ?? '',
    ]).flat()
  })
    .map((word) =>
      word
        .toLowerCase()
        .normalize('NFD')
        .replaceAll(/[^a-z]/g, ''),
    )
    .filter((word) => word.length >= SHORTEST_RUN)
}
