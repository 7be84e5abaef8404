import { useEffect, useState } from 'react'

import { useIsOnline } from '../../lib/online.ts'
import { Banner } from '../../ui/Banner.tsx'

/** Says since when what is on screen may be old; leaves by itself. */
export function OfflineBanner() {
  const isOnline = useIsOnline()
  const [since, setSince] = useState<string>()

  useEffect(() => {
    if (isOnline) return setSince(undefined)
    setSince(new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }))
  }, [isOnline])

  if (isOnline || since === undefined) return null
  return (
    <div className="mb-4">
      <Banner tone="warning">You’re offline. Showing data from {since}.</Banner>
    </div>
  )
}
