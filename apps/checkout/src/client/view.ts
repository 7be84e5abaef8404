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

/** Views as the server drew them, before the script touched them. */
const drawn = new WeakMap<Element, string>()

/** Keeps how the view looked when it came. */
export function rememberSnapshot(view: HTMLElement | null = currentView()): void {
  if (view !== null) drawn.set(view, snapshotOf(view))
}

/** The moment of drawing is no news. */
function snapshotOf(view: HTMLElement): string {
  return view.outerHTML.replace(/ data-now="[^"]*"/, '')
}

/** Tells whether another document shows something else than what is on screen. */
export function differs(fresh: Document): boolean {
  const view = currentView()
  const next = fresh.getElementById('view')
  return view === null || next === null || drawn.get(view) !== snapshotOf(next)
}

/**
 * Fetches this page again and puts its view in place of the one on screen; the server alone draws states. `isIdle`: only
 * when it looks different, so that nothing somebody marks or reads is touched without need.
 */
export async function refreshView(attach: () => void, isIdle = false): Promise<void> {
  if (isRefreshing) return
  isRefreshing = true
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    const fresh = answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
    if (fresh !== null && !(isIdle && !differs(fresh)) && replaceHtml(fresh)) attach()
  } catch {
    // Offline, or the server restarts: the next event or poll tries again.
  } finally {
    isRefreshing = false
  }
}

/** Replaces view and status by those of another document; keeps focus, open sections and pressed radios. */
export function replaceHtml(fresh: Document): boolean {
  const view = currentView()
  const next = fresh.getElementById('view')
  if (view === null || next === null) return false
  const focused = view.contains(document.activeElement) ? document.activeElement : null
  const typed = [...view.querySelectorAll<HTMLInputElement>('input[data-filter]')]
  const open = [...view.querySelectorAll('details[open]')].map(({ id }) => id)
  const pressed = [...view.querySelectorAll<HTMLInputElement>('input:checked')].map(({ id }) => id)
  rememberSnapshot(next)
  view.replaceWith(document.adoptNode(next))
  for (const id of open) document.getElementById(id)?.setAttribute('open', '')
  for (const id of pressed) press(document.getElementById(id))
  for (const field of typed) retype(field)
  replaceOffer(fresh, 'wallet')
  replaceOffer(fresh, 'ask')
  replaceRank(fresh, 'pay-with-wallet')
  if (focused !== null) restoreFocus(focused.id)
  document.title = fresh.title
  replaceStatus(fresh)
  return true
}

/** What was typed comes back, and is answered as if it were typed again. */
function retype({ id, value }: HTMLInputElement): void {
  const field = document.getElementById(id)
  if (!(field instanceof HTMLInputElement) || value === '') return
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The question and the wallet stand outside the view: each is touched only when it begins or ends to be offered. */
function replaceOffer(fresh: Document, id: string): void {
  const place = document.getElementById(id)
  const next = fresh.getElementById(id)
  if (place === null || next === null) return
  if ((place.firstElementChild === null) === (next.firstElementChild === null)) return
  const isInside = place.contains(document.activeElement)
  place.replaceChildren(...next.children)
  if (isInside) restoreFocus('')
}

/** Whether it is the thing to press changes with the state, while it stays where it is. */
function replaceRank(fresh: Document, id: string): void {
  const button = document.getElementById(id)
  const next = fresh.getElementById(id)
  if (button !== null && next !== null) button.className = next.className
}

function press(element: HTMLElement | null): void {
  if (element instanceof HTMLInputElement && !element.disabled) element.checked = true
}

function restoreFocus(id: string): void {
  const target = (id !== '' && document.getElementById(id)) || document.getElementById('checkout')
  target?.focus({ preventScroll: true })
}

/** The region itself stays, so that a screen reader hears its new words. */
function replaceStatus(fresh: Document): void {
  const status = document.getElementById('status')
  const next = fresh.getElementById('status')
  if (status === null || next === null) return
  status.className = next.className
  status.dataset['glyph'] = next.dataset['glyph'] ?? ''
  delete status.dataset['own']
  announce((next.textContent ?? '').trim())
}

let restore: ReturnType<typeof setTimeout> | undefined

/** Puts words into the status region, if they are new. */
export function announce(words: string): void {
  clearTimeout(restore)
  const status = document.getElementById('status')
  if (status !== null && (status.textContent ?? '').trim() !== words) status.textContent = words
}

/** Puts words into the status region and brings the state's own words back later. */
export function announceFor(words: string, ms: number): void {
  const status = document.getElementById('status')
  if (status === null) return
  const own = status.dataset['own'] ?? (status.textContent ?? '').trim()
  announce(words)
  status.dataset['own'] = own
  restore = setTimeout(() => {
    delete status.dataset['own']
    announce(own)
  }, ms)
}
