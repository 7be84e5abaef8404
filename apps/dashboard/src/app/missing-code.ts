import { t } from '@lingui/core/macro'
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { ApiError } from '../api/api-error.ts'
import { isServed } from '../lib/served.ts'

/** Longer than a page that is being left lives on. */
const LEAVING_MS = 1000

/**
 * A deployment takes away the files of the pages that are open. Where one is missing the page is loaded once more, if the
 * server has another; a file that is missing again shows as a fault. The router does the same for whole pages, which
 * is why the entry is made first: the two must not take turns.
 */
export function reloadOnMissingCode(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    const entry = `reloaded: ${payload.message}`
    if (sessionStorage.getItem(entry) !== null) return
    sessionStorage.setItem(entry, 'yes')
    void isServed().then((served) => {
      if (served) window.location.reload()
      // Nobody answers, unless the page is being left: another try may reload.
      else setTimeout(() => sessionStorage.removeItem(entry), LEAVING_MS)
    })
  })
}

/**
 * Returns a page whose code is loaded when it is first opened. The router would load the whole page anew where code does
 * not arrive, also while nobody answers, and the browser's own error would take its place: so it hears of a lost connection.
 */
export function arrivingPage<Name extends string, Module extends Readonly<Record<Name, () => ReactNode>>>(
  load: () => Promise<Module>,
  name: Name,
): AsyncRouteComponent<object> {
  const arrive = () =>
    load().catch(async (cause: unknown) => {
      if (await isServed()) throw cause
      throw new ApiError({ code: 'NETWORK_FAILED', message: t`This page could not be loaded.`, status: 0 })
    })
  return lazyRouteComponent(arrive, name)
}

/** Loads the page anew where somebody answers; returns whether. */
export async function reloadIfServed(): Promise<boolean> {
  const served = await isServed()
  if (served) window.location.reload()
  return served
}
