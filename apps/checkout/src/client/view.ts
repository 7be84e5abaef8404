/** How the clock of the view on screen is stopped. */
let stopClock: () => void = () => {}

let isRefreshing = false

/** Finds the part of the page that is redrawn. */
export function currentView(): HTMLElement | null {
  return document.getElementById('view')
}

/** Takes over a clock; the one before it stops. */
export function setClock(stop: () => void): void {
  stopClock()
  stopClock = stop
}

/** Fetches this page again and puts its view in place of the one on screen; the server alone draws states. */
export async function refreshView(attach: () => void): Promise<void> {
  if (isRefreshing) return
  isRefreshing = true
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    const fresh = answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
    if (fresh !== null && swap(fresh)) attach()
  } catch {
    // Offline, or the server restarts: the next event or poll tries again.
  } finally {
    isRefreshing = false
  }
}

/** Replaces view and status by those of another document; keeps focus, open sections and pressed radios. */
export function swap(fresh: Document): boolean {
  const view = currentView()
  const next = fresh.getElementById('view')
  if (view === null || next === null) return false
  const focused = view.contains(document.activeElement) ? document.activeElement : null
  const open = [...view.querySelectorAll('details[open]')].map(({ id }) => id)
  const pressed = [...view.querySelectorAll<HTMLInputElement>('input:checked')].map(({ id }) => id)
  view.replaceWith(document.adoptNode(next))
  for (const id of open) document.getElementById(id)?.setAttribute('open', '')
  for (const id of pressed) press(document.getElementById(id))
  if (focused !== null) restoreFocus(focused.id)
  document.title = fresh.title
  swapStatus(fresh)
  return true
}

function press(element: HTMLElement | null): void {
  if (element instanceof HTMLInputElement && !element.disabled) element.checked = true
}

function restoreFocus(id: string): void {
  const target = (id !== '' && document.getElementById(id)) || document.getElementById('checkout')
  target?.focus({ preventScroll: true })
}

/** The region itself stays, so that a screen reader hears its new words. */
function swapStatus(fresh: Document): void {
  const status = document.getElementById('status')
  const next = fresh.getElementById('status')
  if (status === null || next === null) return
  status.className = next.className
  status.dataset['glyph'] = next.dataset['glyph'] ?? ''
  delete status.dataset['own']
  say((next.textContent ?? '').trim())
}

let restore: ReturnType<typeof setTimeout> | undefined

/** Puts words into the status region, if they are new. */
export function say(words: string): void {
  clearTimeout(restore)
  const status = document.getElementById('status')
  if (status !== null && (status.textContent ?? '').trim() !== words) status.textContent = words
}

/** Puts words into the status region and brings the state's own words back later. */
export function sayFor(words: string, ms: number): void {
  const status = document.getElementById('status')
  if (status === null) return
  const own = status.dataset['own'] ?? (status.textContent ?? '').trim()
  say(words)
  status.dataset['own'] = own
  restore = setTimeout(() => {
    delete status.dataset['own']
    say(own)
  }, ms)
}
