import type { Drawn } from '../render/revision.ts'
import { revision } from '../render/revision.ts'
import { currentView } from './view.ts'

/** How often to ask when the stream is down: often while the page is visible, seldom while it is hidden. */
const POLL_MS = 5000
const POLL_HIDDEN_MS = 15_000

/** A stream that was refused (too many, server restarting) is tried again after this. */
const RECONNECT_MS = 30_000

/** Keeps the page up to date: by the stream, and by asking whenever that is down. */
export function follow(refresh: (isIdle?: boolean) => Promise<void>): void {
  const reference = currentView()?.dataset['reference']
  if (reference === undefined) return
  const path = `/api/v1/payment/reference/${encodeURIComponent(reference)}`
  const onPayment = (json: string) => hasChanged(json) && void refresh()
  const poll = startPolling(path, onPayment)
  openStream(`${path}/stream`, onPayment, poll)
  refreshPeriodically(refresh)
  addEventListener('online', () => void poll.now())
  addEventListener('pageshow', (event) => event.persisted && void poll.now())
  document.addEventListener('visibilitychange', () => !document.hidden && void poll.now())
}

/** Tells whether a payment, as the wire carries it, looks different from the view on screen. */
export function hasChanged(json: string): boolean {
  const view = currentView()
  return view !== null && revision(JSON.parse(json) as Drawn) !== view.dataset['revision']
}

/** Looks at the page itself now and then: networks and prices come and go without an event of the payment. */
function refreshPeriodically(refresh: (isIdle?: boolean) => Promise<void>): void {
  const { refresh: seconds, settled } = currentView()?.dataset ?? {}
  const poll = () => {
    if (settled === undefined && !document.hidden && navigator.onLine) void refresh(true)
    refreshPeriodically(refresh)
  }
  setTimeout(poll, Number(seconds ?? 60) * 1000)
}

type Polling = { readonly now: () => Promise<void>; pause: (paused: boolean) => void }

function startPolling(path: string, onPayment: (json: string) => void): Polling {
  let paused = false
  const now = async () => {
    try {
      const answer = await fetch(path, { cache: 'no-store' })
      showUnreachable(answer.status >= 500)
      if (answer.ok) onPayment(await answer.text())
    } catch {
      // The next round asks again.
      showUnreachable(navigator.onLine)
    }
  }
  const poll = () => {
    if (!paused && navigator.onLine) void now()
    setTimeout(poll, document.hidden ? POLL_HIDDEN_MS : POLL_MS)
  }
  setTimeout(poll, POLL_MS)
  return { now, pause: (value) => void (paused = value) }
}

/** Says that nothing answers, while the page still tells to wait; being offline has words of its own. */
function showUnreachable(isUnreachable: boolean): void {
  const banner = document.getElementById('unreachable')
  if (banner !== null) banner.hidden = !isUnreachable
}

function openStream(path: string, onPayment: (json: string) => void, poll: Polling): void {
  const source = new EventSource(path)
  source.addEventListener('open', () => {
    poll.pause(true)
    showUnreachable(false)
  })
  source.addEventListener('payment', (event) => onPayment(String(event.data)))
  source.addEventListener('error', () => {
    const isSettled = currentView()?.dataset['settled'] !== undefined
    poll.pause(isSettled)
    if (isSettled) source.close()
    else if (source.readyState === EventSource.CLOSED) setTimeout(() => openStream(path, onPayment, poll), RECONNECT_MS)
  })
}
