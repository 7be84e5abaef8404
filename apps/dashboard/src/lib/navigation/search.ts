import { useLocation } from '@tanstack/react-router'

import { useGo, useHistory } from './navigate.ts'

/** Reads a query string as plain text values; the last of repeated keys wins. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Writes plain text values as a query string; absent and empty ones are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

export type SearchPatch = Readonly<Record<string, string | undefined>>

/** Returns the page's query values and a setter that changes only the named ones; `undefined` removes one. */
export function useSearchState(): [
  Record<string, string>,
  (patch: SearchPatch, options?: { replace?: boolean }) => void,
] {
  const history = useHistory()
  const go = useGo()
  const search = useLocation({ select: (location) => parseSearch(location.searchStr) })
  const change = (patch: SearchPatch, options?: { replace?: boolean }) => {
    // Read at the time of the change: two changes in a row must not undo each other.
    const { pathname, search: text } = history?.location ?? { pathname: '', search: '' }
    go(pathname + stringifySearch({ ...parseSearch(text), ...patch }), options)
  }
  return [search, change]
}
