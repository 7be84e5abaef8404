/** Starts the clock of a view; what it returns stops it. */
type StartClock = () => () => void

/** Starts the clock of the current view again. */
let startClock: StartClock = () => () => {}

/** Stops the clock of the current view. */
let stopClock: () => void = () => {}

let isRefreshing = false

/** Something changed while the page was on its way: what comes may have been drawn before. */
let isOutdated = false

/** Finds the part of the page that is replaced when the state changes. */
export function currentView(): HTMLElement | null {
  return document.getElementById('view')
}

/** Starts the clock of the current view; stops the previous clock. */
export function runClock(start: StartClock): void {
  stopClock()
  startClock = start
  stopClock = start()
}

/** Takes the server's time from another document, because the clock of the device may have been set since. */
function takeTime(fresh: Document): void {
  const [view, now] = [currentView(), fresh.getElementById('view')?.dataset['now']]
  if (view === null || now === undefined) return
  view.dataset['now'] = now
  runClock(startClock)
}

/** Views as the server drew them, before the script touched them. */
const drawn = new WeakMap<Element, string>()

/** Stores the markup of a view as the server sent it. */
export function rememberSnapshot(view: HTMLElement | null = currentView()): void {
  if (view !== null) drawn.set(view, snapshotOf(view))
}

/** The markup without the time it was drawn at, which always differs. */
function snapshotOf(view: HTMLElement): string {
  return view.outerHTML.replace(/ data-now="[^"]*"/, '')
}

/** Tells whether the view of another document differs from the current one. */
export function differs(fresh: Document): boolean {
  const view = currentView()
  const next = fresh.getElementById('view')
  return view === null || next === null || drawn.get(view) !== snapshotOf(next)
}

/**
 * Fetches this page again and replaces the current view, because only the server draws states. With `isIdle` the view is
 * replaced only when it differs, so that a selection is not lost without need; its time is taken all the same. What changes meanwhile is fetched afterwards.
 */
export async function refreshView(attach: () => void, isIdle = false): Promise<void> {
  if (isRefreshing) {
    isOutdated ||= !isIdle
    return
  }
  isRefreshing = true
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    const fresh = answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
    if (fresh !== null && isIdle && !differs(fresh)) takeTime(fresh)
    else if (fresh !== null && replaceView(fresh)) attach()
  } catch {
    // Offline, or the server restarts: the next event or poll tries again.
  } finally {
    isRefreshing = false
  }
  if (!isOutdated) return
  isOutdated = false
  await refreshView(attach)
}

/** Replaces view and status by those of another document; keeps focus, filter text, open sections and selected radios. */
export function replaceView(fresh: Document): boolean {
  const view = currentView()
  const next = fresh.getElementById('view')
  if (view === null || next === null) return false
  const focused = view.contains(document.activeElement) ? document.activeElement : null
  const filters = [...view.querySelectorAll<HTMLInputElement>('input[data-filter]')]
  const open = [...view.querySelectorAll('details[open]')].map(({ id }) => id)
  const selected = [...view.querySelectorAll<HTMLInputElement>('input:checked')].map(({ id }) => id)
  rememberSnapshot(next)
  view.replaceWith(document.adoptNode(next))
  for (const id of open) document.getElementById(id)?.setAttribute('open', '')
  for (const id of selected) select(document.getElementById(id))
  for (const field of filters) restoreFilter(field)
  replaceSection(fresh, 'wallet')
  replaceSection(fresh, 'ask')
  replaceClasses(fresh, 'pay-with-wallet')
  replaceFacts(fresh, 'sent')
  if (focused !== null) restoreFocus(focused.id)
  document.title = fresh.title
  replaceStatus(fresh)
  return true
}

/** Restores the text of a filter and fires its input event, so that the list is filtered again. */
function restoreFilter({ id, value }: HTMLInputElement): void {
  const field = document.getElementById(id)
  if (!(field instanceof HTMLInputElement) || value === '') return
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Replaces a section outside the view (transaction question, wallet), but only when it appears or disappears, or is for wallets of
 * another family: another tab has chosen another network.
 */
function replaceSection(fresh: Document, id: string): void {
  const place = document.getElementById(id)
  const next = fresh.getElementById(id)
  if (place === null || next === null) return
  const isThereToo = (place.firstElementChild === null) === (next.firstElementChild === null)
  if (isThereToo && familyOf(place) === familyOf(next)) return
  const isInside = place.contains(document.activeElement)
  place.replaceChildren(...next.children)
  if (isInside) restoreFocus('')
}

function familyOf(section: HTMLElement): string | undefined {
  return section.querySelector<HTMLElement>('[data-family]')?.dataset['family']
}

/** Updates the classes of a button outside the view: whether it is the primary one depends on the state. */
function replaceClasses(fresh: Document, id: string): void {
  const button = document.getElementById(id)
  const next = fresh.getElementById(id)
  if (button !== null && next !== null) button.className = next.className
}

/** What the script draws into a section stays; what it draws from is replaced. */
function replaceFacts(fresh: Document, id: string): void {
  const facts = fresh.getElementById(id)?.dataset['facts']
  const place = document.getElementById(id)
  if (place !== null && facts !== undefined) place.dataset['facts'] = facts
}

function select(element: HTMLElement | null): void {
  if (element instanceof HTMLInputElement && !element.disabled) element.checked = true
}

function restoreFocus(id: string): void {
  const target = (id !== '' && document.getElementById(id)) || document.getElementById('checkout')
  target?.focus({ preventScroll: true })
}

/** Changes the text but keeps the element, because screen readers announce changes of an existing live region. */
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

/** Sets the text of the status region when it differs. */
export function announce(words: string): void {
  clearTimeout(restore)
  const status = document.getElementById('status')
  if (status !== null && (status.textContent ?? '').trim() !== words) status.textContent = words
}

/** Sets the text of the status region and restores the state's own text after `ms`. */
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
