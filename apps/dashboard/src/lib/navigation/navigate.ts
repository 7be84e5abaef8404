import { useRouter } from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { MouseEvent } from 'react'

/** Goes to an address of this app. */
export type Go = (href: string, options?: { replace?: boolean }) => void

// The router is not registered as a type, so that addresses stay plain text; what of it is used here is known all the same.
type AppRouter = {
  readonly history: RouterHistory
  readonly navigate: (to: Navigation) => Promise<void>
}

type Navigation = { href: string; replace: boolean; resetScroll: boolean; ignoreBlocker?: boolean }

function useAppRouter(): AppRouter | undefined {
  return useRouter({ warn: false }) as AppRouter | undefined
}

/** Returns the browser's history as the router keeps it; absent where a part is drawn without a router. */
export function useHistory(): RouterHistory | undefined {
  return useAppRouter()?.history
}

/** Returns the function that goes to an address of this app without loading the page again. */
export function useGo(): Go {
  const router = useAppRouter()
  return (href, { replace = false } = {}) => {
    if (router !== undefined) move(router, href, replace)
  }
}

/**
 * Returns the click handler of an `<a href>` inside the app; new tabs and foreign addresses stay the browser's. A plain
 * click goes to `to` where that is given: beside the page a new tab would show. `instead` leaves what was filled in
 * without a question.
 */
export function useFollow(): (event: MouseEvent<HTMLAnchorElement>, to?: string, instead?: boolean) => void {
  const router = useAppRouter()
  return (event, to, instead) => {
    const link = event.currentTarget
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    const href = to ?? link.getAttribute('href') ?? ''
    if (router === undefined || event.defaultPrevented || !isPlain || link.target === '_blank' || !isOwnPath(href))
      return
    event.preventDefault()
    move(router, href, false, instead)
  }
}

/**
 * Another page begins at its top. What only asks something else of the same page, such as a drawer over a list, moves
 * nothing: closing it returns to the former place.
 */
function move(router: AppRouter, href: string, replace: boolean, ignoreBlocker = false): void {
  const { pathname } = new URL(href, location.origin)
  const resetScroll = pathname !== router.history.location.pathname
  void router.navigate({ href, replace, resetScroll, ignoreBlocker })
}

/** Whether text is a path of this origin, safe to go to when it came from an address bar. */
export function isOwnPath(href: string): boolean {
  return href.startsWith('/') && !href.startsWith('//') && !href.includes('\\')
}

/** Leaves for another address of this app as soon as there is one to leave for; the page left is not kept in the history. */
export function useRedirect(href: string | undefined): void {
  const history = useHistory()
  useEffect(() => {
    if (href !== undefined) history?.replace(href)
  }, [href, history])
}
