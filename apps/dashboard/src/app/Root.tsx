import { Outlet } from '@tanstack/react-router'
import { useEffect, useLayoutEffect } from 'react'

import { Toaster } from '../ui/Toaster.tsx'
import { keepFocus } from './keep-focus.ts'
import { NavigationFocus } from './NavigationFocus.tsx'
import { keepScrollbarWidth } from './scrollbar.ts'
import { SessionWatch } from './SessionWatch.tsx'

/** What every page stands in: the page itself, toasts, and the listeners that outlive a page. */
export function Root() {
  useLayoutEffect(keepScrollbarWidth, [])
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
