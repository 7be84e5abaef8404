import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'

import { Toaster } from '../ui/feedback/Toaster.tsx'
import { keepFocus } from './keep-focus.ts'
import { NavigationFocus } from './NavigationFocus.tsx'
import { SessionWatch } from './SessionWatch.tsx'

/** What every page stands in: the page itself, toasts, and the listeners that outlive a page. */
export function Root() {
  useEffect(keepFocus, [])
  return (
    <>
      <Outlet />
      <Toaster />
      <NavigationFocus />
      <SessionWatch />
    </>
  )
}
