import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'

import { Toaster } from '../ui/feedback/Toaster.tsx'
import { keepFocus } from './navigation/keep-focus.ts'
import { NavigationFocus } from './navigation/NavigationFocus.tsx'
import { DisplayWatch } from './session/DisplayWatch.tsx'
import { SessionWatch } from './session/SessionWatch.tsx'

/** What every page stands in: the page itself, toasts, and the listeners that outlive a page. */
export function Root() {
  useEffect(keepFocus, [])
  return (
    <>
      <Outlet />
      <Toaster />
      <NavigationFocus />
      <SessionWatch />
      <DisplayWatch />
    </>
  )
}
