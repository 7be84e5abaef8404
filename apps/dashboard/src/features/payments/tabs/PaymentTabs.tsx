import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { webhooksQuery } from '../../../api/lazy-lists.ts'
import { useCan } from '../../../api/me.ts'
import { Tabs } from '../../../ui/actions/Tabs.tsx'
import { unmatchedElsewhere } from '../actions/offers.ts'
import type { EndpointHosts } from '../payment/delivery-line.ts'
import { ledgerEntries } from '../../../labels/journal/entries.ts'
import { JournalTable } from '../../../labels/journal/JournalTable.tsx'
import { DepositsTab } from './DepositsTab.tsx'
import { DetailsTab } from './DetailsTab.tsx'
import { EmptyTab } from './EmptyTab.tsx'
import { TimelineTab } from './TimelineTab.tsx'
import { WebhooksTab } from './WebhooksTab.tsx'

/** One payment, in five tabs. */
export function PaymentTabs({ payment }: { payment: PaymentDetail }) {
  const hosts = useEndpointHosts(payment.externalPlatformID)
  const { transfers, deliveries, journal } = payment
  return (
    <Tabs
      label={t`About this payment`}
      param="panel"
      tabs={[
        { id: 'timeline', label: t`Timeline` },
        { id: 'deposits', label: t`Deposits`, count: transfers.length + unmatchedElsewhere(payment).length },
        { id: 'webhooks', label: t`Webhooks`, count: deliveries.length },
        { id: 'ledger', label: t`Ledger`, count: ledgerEntries(journal).length },
        { id: 'details', label: t`Details` },
      ]}
    >
      {(tab) => {
        if (tab === 'deposits') return <DepositsTab payment={payment} />
        if (tab === 'webhooks') return <WebhooksTab payment={payment} hosts={hosts} />
        if (tab === 'ledger') return journal.length === 0 ? <NothingBooked /> : <JournalTable journal={journal} />
        if (tab === 'details') return <DetailsTab payment={payment} />
        return <TimelineTab payment={payment} hosts={hosts} />
      }}
    </Tabs>
  )
}

function NothingBooked() {
  return (
    <EmptyTab>
      <Trans>Nothing has been booked for this payment.</Trans>
    </EmptyTab>
  )
}

/** Where webhooks go, for those who may know; others see the endpoint's number. */
function useEndpointHosts(projectId: number): EndpointHosts {
  const can = useCan()
  const { data: webhooks } = useQuery({
    ...webhooksQuery(String(projectId)),
    enabled: can('webhook:read', projectId),
  })
  return new Map(webhooks?.map(({ id, url }) => [id, URL.parse(url)?.host ?? url]))
}
