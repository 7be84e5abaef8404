/** As long as a list may take to be read again after something in it was dealt with. */
const SOON_MS = 5_000

/**
 * Gives the focus back to what had it before a dialog opened. When that is gone, or goes soon after, such as the row that
 * was dealt with, the heading of what is in front gets it: the next Tab does not begin at the top of the page.
 */
export function restoreFocus(before: Element | null): void {
  if (!(before instanceof HTMLElement) || !before.isConnected) return focusHeading()
  before.focus()
  const observer = new MutationObserver(() => {
    if (before.isConnected) return
    observer.disconnect()
    focusHeading()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), SOON_MS)
}

/** Gives the focus to the heading of what is in front, where nothing has it. */
export function focusHeading(): void {
  const { activeElement } = document
  if (activeElement !== null && activeElement !== document.body && activeElement.isConnected) return
  const headings = document.querySelectorAll<HTMLElement>('h1, dialog[open] h2')
  headings[headings.length - 1]?.focus({ preventScroll: true })
}
