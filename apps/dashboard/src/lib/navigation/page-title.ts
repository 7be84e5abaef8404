import { t } from '@lingui/core/macro'
import { useMatches } from '@tanstack/react-router'

/** Returns the name of the page that is shown; empty where a page has none. */
export function usePageTitle(): string {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title })
  return title === undefined ? '' : t(title)
}
