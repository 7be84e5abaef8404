import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { useHistory } from '../../lib/navigation/navigate.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { ErrorPage } from './ErrorPage.tsx'

/** Says that an address has no page, with the way back and one way more. */
export function NothingHere({ action }: { action: ReactNode }) {
  const history = useHistory()
  const actions = (
    <>
      {action}
      <Button onClick={() => history?.back()}>
        <Trans>Back</Trans>
      </Button>
    </>
  )
  return (
    <ErrorPage sign="404" title={t`There’s nothing here.`} actions={actions}>
      <Trans>The address may be mistyped, or what it showed was removed.</Trans>
    </ErrorPage>
  )
}
