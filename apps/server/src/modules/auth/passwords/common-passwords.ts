/**
 * Whether a password is a common one: a word as people write it (`P@ssw0rd`), once or twice, or a pattern of keys, with an easy
 * number and signs before and after. Case does not matter (api.md 2.8).
 */
import { COMMON_WORDS } from './common-words.ts'
import { calendarWords, isEasyNumber, isPattern } from './password-patterns.ts'

export type CommonPasswords = (password: string) => boolean

/** Nobody chooses such a password out of habit, and checking each part of a longer one takes a while. */
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

/** Reads the words of common passwords and returns a test for every password they make. */
export function readCommonPasswords(): CommonPasswords {
  const words = new Set([...COMMON_WORDS, ...calendarWords()])
  return (password) => {
    const text = password.toLowerCase()
    if (text.length > LONGEST) return false
    for (let start = 0; start <= Math.min(text.length, LONGEST_AROUND); start += 1) {
      if (!isAround(text.slice(0, start))) continue
      for (let end = text.length; end > Math.max(start, text.length - LONGEST_AROUND - 1); end -= 1) {
        if (isAround(text.slice(end)) && isCommon(text.slice(start, end), words)) return true
      }
    }
    return false
  }
}

/** A number, signs, or both: `123`, `!`, `@123`, `2024!`, `!1!`; or nothing. */
function isAround(part: string): boolean {
  const digits = AROUND.exec(part)?.[1]
  return digits !== undefined && isEasyNumber(digits)
}

/** One word, or the same one twice, however it is written; or a pattern. */
function isCommon(text: string, words: ReadonlySet<string>): boolean {
  const half = text.slice(0, text.length / 2)
  return isWord(text, words) || (half + half === text && isWord(half, words)) || isPattern(text)
}

function isWord(text: string, words: ReadonlySet<string>): boolean {
  return words.has(plain(text, 'i')) || words.has(plain(text, 'l'))
}

function plain(text: string, upright: 'i' | 'l'): string {
  return Array.from(text, (sign) => (ALSO_L.has(sign) ? upright : (WRITTEN_FOR[sign] ?? sign))).join('')
}
