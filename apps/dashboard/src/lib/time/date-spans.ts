import { msg, t } from '@lingui/core/macro'

import { dayFormat } from '../text/locale-format.ts'
import { wallClock } from './time-zone.ts'
import { localIso } from './time.ts'

/** Spans that move with the calendar, as an address and the server's analytics name them, and in words. */
export const DATE_SPANS = {
  today: msg`today`,
  yesterday: msg`yesterday`,
  last_7_days: msg`last 7 days`,
  last_14_days: msg`last 14 days`,
  last_30_days: msg`last 30 days`,
  this_month: msg`this month`,
  last_month: msg`last month`,
  last_6_months: msg`last 6 months`,
} as const

export type DateSpan = keyof typeof DATE_SPANS

/** Whole days, the first and the last of them included; an open end is absent. */
export type Days = { readonly from?: Date | undefined; readonly to?: Date | undefined }

/** Whether a word names a span. */
export function isDateSpan(word: string): word is DateSpan {
  return Object.hasOwn(DATE_SPANS, word)
}

/** Returns the spans as choices, each as a sentence begins. */
export function dateSpanOptions(): { readonly value: string; readonly label: string }[] {
  return Object.entries(DATE_SPANS).map(([value, words]) => {
    const label = t(words)
    return { value, label: label.charAt(0).toUpperCase() + label.slice(1) }
  })
}

/** Returns the days of a span as the operator's calendar has them now; "last 7 days" ends today. */
export function daysOf(span: DateSpan, now: Date): Days {
  const wall = wallClock(now)
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()]
  const today = new Date(year, month, day)
  switch (span) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: new Date(year, month, day - 1), to: new Date(year, month, day - 1) }
    case 'last_7_days':
      return { from: new Date(year, month, day - 6), to: today }
    case 'last_14_days':
      return { from: new Date(year, month, day - 13), to: today }
    case 'last_30_days':
      return { from: new Date(year, month, day - 29), to: today }
    case 'this_month':
      return { from: new Date(year, month, 1), to: today }
    case 'last_month':
      return { from: new Date(year, month - 1, 1), to: new Date(year, month, 0) }
    case 'last_6_months':
      return { from: new Date(year, month - 5, 1), to: today }
  }
}

/** Returns the day a text like 2026-11-20 names; `undefined` for what is no day of the calendar. */
export function readDay(text: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (day === undefined) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  return localIso(date, 'start', date).startsWith(text) ? date : undefined
}

/** Returns a day the way lists write it: 12 Nov 2026. */
export function dayWords(day: Date): string {
  return dayFormat().format(Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()))
}
