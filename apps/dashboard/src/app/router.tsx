import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { type AnyRoute, createRootRoute, createRoute, createRouter, notFound, redirect } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { storedUser } from '../api/session.ts'
import { lastProject } from '../lib/navigation/current-project.ts'
import { parseSearch, stringifySearch } from '../lib/navigation/search.ts'
import { paths } from '../lib/paths.ts'
import { Fault } from './errors/Fault.tsx'
import { FaultPage } from './errors/FaultPage.tsx'
import { NotFoundPage } from './errors/NotFoundPage.tsx'
import { lazyPage } from './lazy-page.ts'
import { guard } from './navigation/guard.ts'
import { entryLabel } from './navigation/menu-entries.ts'
import type { Layout, Page } from './page.ts'
import { PAGES } from './pages.ts'
import { Root } from './Root.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's name: its title and its last breadcrumb. */
    readonly title?: MessageDescriptor
    /** The menu entry above it. */
    readonly group?: MessageDescriptor | undefined
    /** What reading the page needs. */
    readonly permission?: Permission | undefined
  }
}

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: FaultPage,
  beforeLoad: ({ location }) => {
    const elsewhere = guard({
      pathname: location.pathname,
      search: location.searchStr,
      hasKey: storedUser() !== undefined,
      lastProject: lastProject(),
    })
    if (elsewhere === undefined) return
    const [to = paths.landing(), search = ''] = elsewhere.split(/\?(.*)/s)
    throw redirect({ to, search: parseSearch(search), replace: true })
  },
})

/** The layouts around pages; each is loaded with its first page. */
const LAYOUTS: Readonly<Record<Layout, ReturnType<typeof lazyPage>>> = {
  public: lazyPage(async () => (await import('./layouts/PublicLayout.tsx')).PublicLayout),
  shell: lazyPage(async () => (await import('./shell/Shell.tsx')).Shell),
}

const layoutRoutes = (Object.keys(LAYOUTS) as Layout[]).map((layout) => {
  const route = createRoute({ getParentRoute: () => rootRoute, id: layout, component: LAYOUTS[layout] })
  const pages = PAGES.filter((page) => page.layout === layout)
  const elsewhere = layout === 'shell' ? [nothingHere(route)] : []
  return route.addChildren([
    ...pages.map(({ path, title, permission, nav, load }: Page) =>
      createRoute({
        getParentRoute: () => route,
        path: path.pattern.replaceAll(/\{(\w+)\}/g, '$$$1'),
        component: lazyPage(async () => pageOf(await load())),
        errorComponent: Fault,
        staticData: {
          title,
          group: nav === undefined || nav.isEntry === true ? undefined : entryLabel(nav.entry),
          permission,
        },
      }),
    ),
    ...elsewhere,
  ])
})

/** A file of `routes` exports one page, beside what its own tests may need. */
function pageOf(file: Awaited<ReturnType<Page['load']>>): () => ReactNode {
  const name = Object.keys(file).find((one): one is keyof typeof file => one.endsWith('Route'))
  const page = name && file[name]
  if (page === undefined) throw new Error('A file of routes exports no page')
  return page
}

/** Every other address: operators keep the menu and the search. */
function nothingHere(shell: AnyRoute) {
  return createRoute({
    getParentRoute: () => shell,
    path: '$',
    component: lazyPage(async () => (await import('./errors/NothingHerePage.tsx')).NothingHerePage),
    errorComponent: Fault,
    staticData: { title: msg`Nothing here` },
    beforeLoad: () => {
      if (storedUser() === undefined) notFound({ throw: true })
    },
  })
}

/** Every address of the dashboard; a page's code is loaded when it is first opened. */
export const routeTree = rootRoute.addChildren(layoutRoutes)

/** Returns the router over the browser's address bar; query values are plain text, never JSON. */
export function createAppRouter() {
  return createRouter({ routeTree, parseSearch, stringifySearch, scrollRestoration: true, defaultPendingMs: 150 })
}
