import { queryOptions } from '@tanstack/react-query'

/** The file a page starts from; every build gives it a new name. */
const PROGRAM = 'script[type="module"][src]'

/**
 * The program a new load of the page would start, by its address; null where there is none. Asked again like every
 * list on screen: when the line to the server is back, and when the window is looked at again.
 */
export const runningVersionQuery = queryOptions({
  queryKey: ['running-version'],
  queryFn: async ({ signal }) => {
    const response = await fetch('/', { signal, cache: 'no-cache' })
    return programOf(new DOMParser().parseFromString(await response.text(), 'text/html'))
  },
  retry: false,
})

/** Returns the address of the program a page starts from. */
export function programOf(page: Document): string | null {
  return page.querySelector(PROGRAM)?.getAttribute('src') ?? null
}
