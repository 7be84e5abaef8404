import { currentView } from './view.ts'

/** Minutes at which the time left is spoken; the end is the fifth. */
const SPOKEN_MINUTES = [10, 5, 1]

/** Above this the time is read better by the clock and its day, as the server printed it. */
const COUNTED_MS = 3_600_000

/** Below this the clock changes colour. */
const SOON_MS = 120_000

/** Prints milliseconds as mm:ss in a language's digits, rounded up so that 00:00 means over. */
export function minutesAndSeconds(ms: number, language = 'en'): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const two = new Intl.NumberFormat(language, { minimumIntegerDigits: 2, useGrouping: false })
  return [Math.floor(seconds / 60), seconds % 60].map((part) => two.format(part)).join(':')
}

/** Names the minute mark crossed between two readings of the time left, or null. */
export function crossedMark(before: number, after: number): number | null {
  if (after <= 0) return before > 0 ? 0 : null
  return SPOKEN_MINUTES.find((minutes) => before > minutes * 60_000 && after <= minutes * 60_000) ?? null
}

/** Counts down by the server's clock, speaks at the marks, calls `ended` once at the end; gives back how to stop it. */
export function startClock(ended: () => void): () => void {
  const time = document.querySelector<HTMLTimeElement>('#clock time')
  const serverNow = Date.parse(currentView()?.dataset['now'] ?? '')
  if (time === null || Number.isNaN(serverNow)) return () => {}
  const until = Date.parse(time.dateTime)
  const offset = serverNow - Date.now()
  // The wallet part, a script of its own, goes by the server's clock too.
  document.documentElement.dataset['ahead'] = String(offset)
  // A clock that starts anew goes on from the last reading, so that a mark between the two is spoken.
  let before = Number(time.dataset['before'] ?? until - serverNow)
  const tick = () => {
    const left = until - (Date.now() + offset)
    draw(time, left)
    speak(time, crossedMark(before, left))
    before = left
    time.dataset['before'] = String(left)
    if (left > 0) return
    clearInterval(timer)
    ended()
  }
  const timer = setInterval(tick, 1000)
  draw(time, until - serverNow)
  return () => clearInterval(timer)
}

function draw(time: HTMLTimeElement, ms: number): void {
  if (ms > COUNTED_MS) return
  const left = minutesAndSeconds(ms, document.documentElement.lang || undefined)
  time.textContent = (time.dataset['left'] ?? '').replace('{time}', left)
  if (ms < SOON_MS) time.parentElement?.setAttribute('data-soon', '')
}

function speak(time: HTMLTimeElement, mark: number | null): void {
  const spoken = document.getElementById('spoken')
  const words = mark === null ? undefined : time.getAttribute(`data-spoken-${mark}`)
  if (spoken !== null && words !== undefined && words !== null) spoken.textContent = words
}
