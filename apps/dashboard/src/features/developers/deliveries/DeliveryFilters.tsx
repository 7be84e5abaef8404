import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense, useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { deliveryFields } from './delivery-filter.ts'

const ReplayDialog = lazyLayer(async () => ({ default: (await import('./ReplayDialog.tsx')).ReplayDialog }))

/** Narrows a list of deliveries; what failed at one endpoint can be sent again from here. */
export function DeliveryFilters({ endpoint }: { endpoint: Webhook | undefined }) {
  const can = useCan()
  const [isReplaying, setReplaying] = useState(false)
  const mayReplay = endpoint !== undefined && can('webhook:resend', endpoint.externalPlatformID)
  const isOff = endpoint?.status === 'inactive'
  return (
    <>
      <FilterBar fields={deliveryFields()} columns={[]} />
      {mayReplay && (
        <div className="ms-auto self-end">
          <Button
            disabled={isOff}
            {...(isOff ? { title: t`Turn the endpoint on first` } : {})}
            onClick={() => setReplaying(true)}
          >
            <Trans>Resend failed…</Trans>
          </Button>
        </div>
      )}
      {isReplaying && endpoint !== undefined && (
        <Suspense>
          <ReplayDialog webhook={endpoint} onClose={() => setReplaying(false)} />
        </Suspense>
      )}
    </>
  )
}
