/** A page asks for the search of the shell around it. */
const ASKED = 'kassa:search'

/** Opens the search, where a shell is around the page. */
export function askForSearch(): void {
  window.dispatchEvent(new Event(ASKED))
}

/** Calls back when a page asks for the search; returns the function that ends it. */
export function onSearchAsked(open: () => void): () => void {
  window.addEventListener(ASKED, open)
  return () => window.removeEventListener(ASKED, open)
}
