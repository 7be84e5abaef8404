import { t } from '@lingui/core/macro'

import { DATE_SPANS, type Days, daysOf, dayWords, isDateSpan, readDay } from '../../lib/time/date-spans.ts'
import { dayAndMinute } from '../../lib/time/time.ts'
import { usdExact } from '../../lib/text/format.ts'
import type { SearchPatch } from '../../lib/navigation/search.ts'

export type FilterOption = { readonly value: string; readonly label: string }

type Named = {
  /** The parameter of the address that holds the value. */
  readonly key: string
  readonly label: string
}

/** Some of a few values; they are alternatives. */
export type ChoiceField = Named & {
  readonly kind: 'choice'
  readonly options: readonly FilterOption[]
  /** Values an address may hold beside the options, which may still be on their way. */
  readonly others?: RegExp
}

/** An amount of US dollars, or a range of them. */
export type AmountField = Named & { readonly kind: 'amount' }

/** A day, a range of days, or a span that moves with the calendar. */
export type DateField = Named & { readonly kind: 'date' }

export type FilterField = ChoiceField | AmountField | DateField

/** Both ends belong to the range; an open one is empty. */
export type Range = { readonly from: string; readonly to: string }

/** US dollars as the server takes them. */
const AMOUNT = /^\d{1,12}(\.\d{1,6})?$/

/** Returns the values an address asks a choice for, each once; what it cannot ask for is left out. */
export function readChoice(field: ChoiceField, text: string | undefined): string[] {
  const isKnown = (value: string) =>
    field.options.some((option) => option.value === value) || field.others?.test(value) === true
  return [...new Set((text ?? '').split(',').filter(isKnown))]
}

/** Returns the range of amounts in an address: `49`, `10..50`, `10..` or `..50`; `undefined` for what is none. */
export function readAmounts(text: string | undefined): Range | undefined {
  return readRange(text, (end) => AMOUNT.test(end))
}

/** Returns the range of days in an address, written like amounts. */
export function readDays(text: string | undefined): Range | undefined {
  return readRange(text, (end) => readDay(end) !== undefined)
}

/** Returns the days that an address names, as a span that moves with the calendar or as a range. */
export function chosenDays(text: string | undefined, now: Date): Days {
  if (text === undefined) return {}
  if (isDateSpan(text)) return daysOf(text, now)
  const range = readDays(text)
  return range === undefined ? {} : { from: readDay(range.from), to: readDay(range.to) }
}

/** Returns two moments of an address, 2026-11-20T05:00:00Z..2026-11-20T05:59:59Z: a part of a day, as a link has it. */
export function readMoments(text: string | undefined): Range | undefined {
  const range = readRange(text, (end) => MOMENT.test(end) && !Number.isNaN(Date.parse(end)))
  return range === undefined || range.from === '' || range.to === '' ? undefined : range
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

function readRange(text: string | undefined, isEnd: (end: string) => boolean): Range | undefined {
  const [from = '', to = from, ...more] = (text ?? '').split('..')
  const isEmpty = from === '' && to === ''
  const isRange = more.length === 0 && [from, to].every((end) => end === '' || isEnd(end))
  return isEmpty || !isRange ? undefined : { from, to }
}

/** Returns a range as an address holds it; one end alone stands for itself. */
export function rangeText({ from, to }: Range): string {
  return from === to ? from : `${from}..${to}`
}

/** Whether an address narrows a list by this field. */
export function isSet(field: FilterField, text: string | undefined): boolean {
  if (field.kind === 'choice') return readChoice(field, text).length > 0
  if (field.kind === 'amount') return readAmounts(text) !== undefined
  return isDateSpan(text ?? '') || readDays(text) !== undefined || readMoments(text) !== undefined
}

/** Returns what a field narrows to in words, the way a chip says it: "Paid, Overpaid", "at least $10.00". */
export function filterText(field: FilterField, text: string | undefined): string {
  if (field.kind === 'choice') {
    const words = new Map(field.options.map(({ value, label }) => [value, label]))
    return readChoice(field, text)
      .map((value) => words.get(value) ?? value)
      .join(', ')
  }
  if (field.kind === 'amount') return amountWords(readAmounts(text))
  const word = text ?? ''
  const moments = readMoments(text)
  if (moments !== undefined) return momentWords(moments)
  return isDateSpan(word) ? t(DATE_SPANS[word]) : dayRangeWords(readDays(text))
}

function amountWords(range: Range | undefined): string {
  if (range === undefined) return ''
  const [from, to] = [usdExact(range.from), usdExact(range.to)]
  if (range.from === range.to) return from
  if (range.to === '') return t`at least ${from}`
  return range.from === '' ? t`at most ${to}` : t`${from} to ${to}`
}

function dayRangeWords(range: Range | undefined): string {
  if (range === undefined) return ''
  const [from, to] = [wordsOfDay(range.from), wordsOfDay(range.to)]
  if (range.from === range.to) return from
  if (range.to === '') return t`since ${from}`
  return range.from === '' ? t`until ${to}` : t`${from} to ${to}`
}

function momentWords({ from, to }: Range): string {
  const [first, last] = [dayAndMinute(new Date(from)), dayAndMinute(new Date(to))]
  return t`${first} to ${last}`
}

function wordsOfDay(text: string): string {
  const day = readDay(text)
  return day === undefined ? text : dayWords(day)
}

/** Returns the change of the address that takes these fields out, and goes back to the list's start. */
export function without(fields: readonly FilterField[]): SearchPatch {
  return { ...Object.fromEntries(fields.map(({ key }) => [key, undefined])), cursor: undefined }
}
