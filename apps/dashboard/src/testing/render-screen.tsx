import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'

import { storeUser } from '../api/session.ts'
import { createQueryClient } from '../app/query-client.ts'
import { DisplayWatch } from '../app/session/DisplayWatch.tsx'
import { parseSearch, stringifySearch } from '../lib/navigation/search.ts'
import { currentToasts, dismissToast } from '../ui/feedback/toast.ts'
import { Toaster } from '../ui/feedback/Toaster.tsx'
import './patient.ts'

/** Draws a screen at an address, signed in, with its own cache and no toasts; returns the history it moves in. */
export function renderScreen(screen: ReactNode, address: string) {
  storeUser({ key: 'ks_test', role: { name: 'root' }, rootExists: true })
  for (const { id } of currentToasts()) dismissToast(id)
  const draw = () => (
    <>
      {screen}
      <Toaster />
    </>
  )
  const rootRoute = createRootRoute({ component: draw, notFoundComponent: draw })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({ routeTree: rootRoute, history, parseSearch, stringifySearch })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return history
}

/** The same with what keeps display settings with the account, as around every page. */
export function renderWithDisplay(screen: ReactNode, address: string) {
  const draw = (
    <>
      {screen}
      <DisplayWatch />
    </>
  )
  return renderScreen(draw, address)
}
