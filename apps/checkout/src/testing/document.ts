import { Window } from 'happy-dom'

/** Parses a document the way a browser does, without loading anything. */
export function parseDocument(html: string) {
  return new new Window().DOMParser().parseFromString(html, 'text/html')
}

/** Reads an element's text as it is shown, spaces collapsed. */
export function textOf(element: { readonly textContent: string | null } | null | undefined): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
}
