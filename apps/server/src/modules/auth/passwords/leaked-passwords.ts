/**
 * Whether a password is a common one: one or two words as people write them (`P@ssw0rd`), with numbers and signs before and
 * after, or a path over the keyboard. Case does not matter (api.md 2.8).
 */
import { COMMON_NUMBERS, COMMON_WHOLES, COMMON_WORDS } from './common-passwords.ts'

export type CommonPasswords = (password: string) => boolean

/** Longer passwords are on no list, and checking each of their parts takes a while. */
const LONGEST = 40

/** Which letters a digit or a sign stands for. */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '1': 'i',
  '!': 'i',
}

/** Those that stand for an l in other words. */
const ALSO_L = new Set(['1', '!'])

/** What may surround a word: a number of up to ten digits, and up to four signs on each side of it. */
const AROUND = /^[.,?@*!$%#^&]{0,4}(\d{0,10})[.,?@*!$%#^&]{0,4}$/
const LONGEST_AROUND = 18

/** Reads the parts of common passwords and returns a test for every password they make. */
export function readCommonPasswords(): CommonPasswords {
  const words = new Set(listed(COMMON_WORDS))
  const wholes = new Set(listed(COMMON_WHOLES))
  const numbers = new Set([...listed(COMMON_NUMBERS), ...years()])
  return (password) => {
    const text = password.toLowerCase()
    if (text.length > LONGEST) return false
    if (wholes.has(text)) return true
    for (let start = 0; start <= Math.min(text.length, LONGEST_AROUND); start += 1) {
      if (!isAround(text.slice(0, start), numbers)) continue
      for (let end = text.length; end > Math.max(start, text.length - LONGEST_AROUND - 1); end -= 1) {
        if (isAround(text.slice(end), numbers) && isWords(text.slice(start, end), words)) return true
      }
    }
    return false
  }
}

/** A number, signs, or both: `123`, `!`, `@123`, `2024!`, `!1!`; or nothing. */
function isAround(part: string, numbers: ReadonlySet<string>): boolean {
  const digits = AROUND.exec(part)?.[1]
  return digits !== undefined && (digits === '' || numbers.has(digits))
}

/** One word, or the same one twice, however it is written. */
function isWords(text: string, words: ReadonlySet<string>): boolean {
  const half = text.slice(0, text.length / 2)
  return isWord(text, words) || (half + half === text && isWord(half, words))
}

function isWord(text: string, words: ReadonlySet<string>): boolean {
  return words.has(plain(text, 'i')) || words.has(plain(text, 'l'))
}

function plain(text: string, upright: 'i' | 'l'): string {
  return Array.from(text, (sign) => (ALSO_L.has(sign) ? upright : (WRITTEN_FOR[sign] ?? sign))).join('')
}

function listed(text: string): string[] {
  return text.split(/\s+/).filter((part) => part !== '')
}

/** Years in which people were born, or set a password. */
function years(): string[] {
  return Array.from({ length: 91 }, (_, at) => String(1950 + at))
}
