import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'

/** Goes to an address of this app. */
export type Go = (href: string, options?: { replace?: boolean }) => void

/** Returns the function that goes to an address of this app without loading the page again. */
export function useGo(): Go {
  const router = useRouter()
  return (href, { replace = false } = {}) => {
    if (replace) router.history.replace(href)
    else router.history.push(href)
  }
}

/** Returns the click handler of an `<a href>` inside the app; new tabs and foreign addresses stay the browser's. */
export function useFollow(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const router = useRouter({ warn: false })
  return (event) => {
    const link = event.currentTarget
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    const href = link.getAttribute('href') ?? ''
    if (!router || event.defaultPrevented || !isPlain || link.target === '_blank' || !isOwnPath(href)) return
    event.preventDefault()
    router.history.push(href)
  }
}

/** Whether text is a path of this origin, safe to go to when it came from an address bar. */
export function isOwnPath(href: string): boolean {
  return href.startsWith('/') && !href.startsWith('//') && !href.includes('\\')
}
