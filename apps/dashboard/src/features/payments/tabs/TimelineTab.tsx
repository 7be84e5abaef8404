import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { meQuery } from '../../../api/me.ts'
import { shortHash } from '../../../lib/text/format.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Timeline } from '../../../ui/facts/Timeline.tsx'
import type { TimelineEvent } from '../../../ui/facts/Timeline.tsx'
import { paymentTimeline } from '../payment/timeline-entries.ts'
import type { EndpointHosts } from '../payment/delivery-line.ts'
import type { TimelineLine } from '../payment/timeline-entries.ts'

/** The events of a payment and who was notified, newest first; transactions link to their explorer. */
export function TimelineTab({ payment, hosts }: { payment: PaymentDetail; hosts: EndpointHosts }) {
  const { data: me } = useQuery(meQuery)
  const explorers = new Map(payment.deposits.map((deposit) => [deposit.txHash, deposit.explorerTransaction]))
  const draw = ({ text, hash, ...line }: TimelineLine): TimelineEvent => {
    if (hash === undefined) return { ...line, ...(text !== undefined && { text }) }
    const whole = (
      <span className="flex flex-wrap items-center gap-x-2">
        {text}
        <Transaction hash={hash} explorer={explorers.get(hash)} />
      </span>
    )
    return { ...line, text: whole }
  }
  const lines = paymentTimeline(payment, { hosts, operatorId: me?.id })
  return <Timeline label={t`Timeline`} events={lines.map(draw)} />
}

function Transaction({ hash, explorer }: { hash: string; explorer: string | undefined }) {
  if (explorer === undefined || explorer === '') return <Address value={hash} label={t`transaction hash`} isHash />
  return (
    <span className="inline-flex items-center gap-1">
      <TextLink href={explorer} newTab>
        <bdi dir="ltr" title={hash} className="font-mono">
          {shortHash(hash)}
        </bdi>
      </TextLink>
      <CopyButton label={t`transaction hash`} value={hash} />
    </span>
  )
}
