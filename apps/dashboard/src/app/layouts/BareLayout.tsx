import { Outlet } from '@tanstack/react-router'

import { useDocumentTitle } from '../navigation/titles.ts'

/** The page and nothing around it: the shop may show it inside its own. */
export function BareLayout() {
  useDocumentTitle()
  return (
    <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[720px] px-4 py-8">
      <Outlet />
    </main>
  )
}
