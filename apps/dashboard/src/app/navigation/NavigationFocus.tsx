import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { usePageTitle } from '../../lib/navigation/page-title.ts'

/** After a change of the path the focus goes to the page's heading, and the page's name is spoken once. */
export function NavigationFocus() {
  const router = useRouter()
  const [spoken, setSpoken] = useState('')
  const title = usePageTitle()
  const latest = useRef(title)

  useEffect(() => {
    latest.current = title
  }, [title])

  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        setSpoken(latest.current)
        const active = document.activeElement
        // A page that put the focus into its first field keeps it there.
        if (active instanceof HTMLInputElement && active.closest('main') !== null) return
        const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
        target?.focus({ preventScroll: true })
      }),
    [router],
  )

  return (
    <p role="status" className="sr-only">
      {spoken}
    </p>
  )
}
