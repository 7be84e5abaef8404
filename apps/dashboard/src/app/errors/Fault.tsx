import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { asRequestError } from '../../api/request-error.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { ErrorPage } from './ErrorPage.tsx'
import { PageLoadFailed } from './PageLoadFailed.tsx'

/** Stands in for a page that broke while it was drawn, or whose code did not arrive; what surrounds it stays usable. */
export function Fault({ error }: { error: unknown }) {
  const { code, requestId, message } = asRequestError(error)
  if (code === 'NETWORK_FAILED') return <PageLoadFailed />
  return (
    <ErrorPage
      sign="500"
      title={t`Something broke on our side.`}
      actions={
        // Code that did not arrive is asked for again only by a new load of the page.
        <Button kind="primary" onClick={() => window.location.reload()}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      <p>
        <Trans>Your money isn’t affected.</Trans>
      </p>
      <p className="mt-2 font-mono text-caption break-words">{requestId ?? message}</p>
    </ErrorPage>
  )
}
