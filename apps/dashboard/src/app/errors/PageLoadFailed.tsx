import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'

import { reloadIfReachable } from '../../lib/loading/server-reachable.ts'
import { useReload } from '../../lib/loading/useReload.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { ErrorPage } from './ErrorPage.tsx'

/** How often the server is asked whether it answers again. */
const LOOK_MS = 5_000

/** Replaces a page that could not be loaded; it loads once the network is back. */
export function PageLoadFailed() {
  const { reload, isAsking, isRefused } = useReload()
  useEffect(() => {
    const back = () => void reloadIfReachable()
    // A server that starts again tells no browser.
    const timer = setInterval(back, LOOK_MS)
    window.addEventListener('online', back)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', back)
    }
  }, [])
  return (
    <ErrorPage
      sign={t`No connection`}
      title={t`This page could not be loaded.`}
      actions={
        <Button kind="primary" loading={isAsking} onClick={reload}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      <p>
        <Trans>Kassa does not answer. The page loads by itself once the connection is back.</Trans>
      </p>
      <p role="status" className="mt-2">
        {isRefused && <Trans>Still no answer.</Trans>}
      </p>
    </ErrorPage>
  )
}
