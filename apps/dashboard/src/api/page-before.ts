import type { QueryKey } from '@tanstack/react-query'

/**
 * Keeps the page before on screen while the next one loads. The page of another project is none of the same list: its rows would
 * stand, with what can be done to them, under the name of the project that was just chosen.
 */
export function pageBefore(projectId: string) {
  return <Data>(before: Data | undefined, query: { readonly queryKey: QueryKey } | undefined): Data | undefined =>
    query?.queryKey[1] === projectId ? before : undefined
}
