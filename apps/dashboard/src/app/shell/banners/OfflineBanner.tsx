import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'

import { useIsOnline } from '../../../lib/device/online.ts'
import { clockMinute } from '../../../lib/time/clock-minute.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'

/** Says since when what is on screen may be old; leaves by itself. */
export function OfflineBanner({ isUnreachable }: { readonly isUnreachable: boolean }) {
  const isOnline = useIsOnline()
  const isStale = !isOnline || isUnreachable
  const [since, setSince] = useState<string>()

  useEffect(() => {
    if (!isStale) return setSince(undefined)
    setSince(clockMinute(new Date()))
  }, [isStale])

  if (!isStale || since === undefined) return null
  return (
    <div className="mb-4">
      <Banner tone="warning">
        {isOnline ? (
          <Trans>The server does not answer; this page tries again by itself. Showing data from {since}.</Trans>
        ) : (
          <Trans>You’re offline. Showing data from {since}.</Trans>
        )}
      </Banner>
    </div>
  )
}
