import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { dateSpanOptions, isDateSpan } from '../../../lib/time/date-spans.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { isDeliveryStatus } from '../../../labels/delivery-labels.ts'
import { deliveryFilters } from './delivery-states.ts'
import { ReplayDialog } from './ReplayDialog.tsx'
import { eventFilters } from '../choices/webhook-events.ts'

/** Narrows a list of deliveries; what failed at one endpoint can be sent again from here. */
export function DeliveryFilters({ endpoint }: { endpoint: Webhook | undefined }) {
  const [{ status = '', event = '', created = '' }, setSearch] = useSearchState()
  const can = useCan()
  const [isReplaying, setReplaying] = useState(false)
  const mayReplay = endpoint !== undefined && can('webhook:resend', endpoint.externalPlatformID)
  const isOff = endpoint?.status === 'inactive'
  return (
    <>
      <div className="w-full sm:w-44">
        <Select
          label={t`State`}
          options={deliveryFilters()}
          value={isDeliveryStatus(status) ? status : ''}
          onChange={(next) => setSearch({ status: next, cursor: undefined })}
        />
      </div>
      <div className="w-full sm:w-56">
        <Select
          label={t`Event`}
          options={eventFilters()}
          value={event}
          onChange={(next) => setSearch({ event: next, cursor: undefined })}
        />
      </div>
      <div className="w-full sm:w-44">
        <Select
          label={t`Created`}
          options={[{ value: '', label: t`All days` }, ...dateSpanOptions()]}
          value={isDateSpan(created) ? created : ''}
          onChange={(next) => setSearch({ created: next, cursor: undefined })}
        />
      </div>
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
      {isReplaying && endpoint !== undefined && <ReplayDialog webhook={endpoint} onClose={() => setReplaying(false)} />}
    </>
  )
}
