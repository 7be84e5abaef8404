import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import type { RequestError } from '../../api/request-error.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'

/** Says that the server did not search, why (a limit names its seconds), and searches again on request. */
export function SearchFailure({ failure, onRetry }: { failure: RequestError; onRetry: () => void }) {
  const again = (
    <Button kind="quiet" size="small" onClick={onRetry}>
      <Trans>Try again</Trans>
    </Button>
  )
  return (
    <div className="border-t border-border p-2">
      <Banner tone="danger" action={again}>
        {t`Payments and people could not be searched.`} {failure.message}
      </Banner>
    </div>
  )
}
