import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { programOf, runningVersionQuery } from './running-version.ts'

/** Says that the server has another program than the one that runs here; a new load brings it. */
export function NewVersionBanner() {
  const { data: served } = useQuery(runningVersionQuery)
  if (typeof served !== 'string' || served === programOf(document)) return null
  const reload = (
    <Button size="small" onClick={() => window.location.reload()}>
      <Trans>Reload the page</Trans>
    </Button>
  )
  return (
    <div className="mb-4">
      <Banner tone="info" action={reload}>
        <Trans>A new version is ready.</Trans>
      </Banner>
    </div>
  )
}
