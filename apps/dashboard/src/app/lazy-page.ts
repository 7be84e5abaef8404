import { t } from '@lingui/core/macro'
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { RequestError } from '../api/request-error.ts'
import { isServerReachable } from '../lib/loading/server-reachable.ts'

/**
 * Returns a page whose code is loaded when it is first opened. A deployment takes away the files of the pages that are
 * open: where code does not arrive the router loads the address anew, once. It would do so also while the server does not answer, and
 * the browser's own error would take the page's place: so it hears of a lost connection.
 */
export function lazyPage(load: () => Promise<() => ReactNode>): AsyncRouteComponent<object> {
  const arrive = async () => {
    try {
      return { default: await load() }
    } catch (cause) {
      if (await isServerReachable()) throw cause
      throw new RequestError({ code: 'NETWORK_FAILED', message: t`This page could not be loaded.`, status: 0 })
    }
  }
  return lazyRouteComponent(arrive)
}
