import { Outlet } from '@tanstack/react-router'

import { Toaster } from '../ui/Toaster.tsx'
import { NavigationFocus } from './NavigationFocus.tsx'
import { SessionWatch } from './SessionWatch.tsx'

/** What every page stands in: the page itself, toasts, and the listeners that outlive a page. */
export function Root() {
  return (
    <>
      <Outlet />
      <Toaster />
      <NavigationFocus />
      <SessionWatch />
    </>
  )
}
