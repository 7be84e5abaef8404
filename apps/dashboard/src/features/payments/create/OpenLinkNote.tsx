import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { customerByEmailQuery } from '../../../api/customers.ts'
import { paymentsQuery } from '../../../api/payments.ts'
import { paths } from '../../../lib/paths.ts'
import { usdExact } from '../../../lib/text/format.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'

export type OpenLinkNoteProps = {
  readonly projectId: string
  readonly email: string
  /** The link this form just made: that one is no surprise. */
  readonly made: string | undefined
}

/**
 * Says that the customer has a link already, which a new one would end. It stands before the button: who presses has read
 * it.
 */
export function OpenLinkNote({ projectId, email, made }: OpenLinkNoteProps) {
  const { data: known } = useQuery(customerByEmailQuery(projectId, email.trim()))
  return known ? <Note projectId={projectId} email={known.email} made={made} /> : null
}

function Note({ projectId, email, made }: OpenLinkNoteProps) {
  const { data } = useQuery(paymentsQuery(projectId, { query: email, paymentStatus: ['OPEN'], limit: 1 }))
  const open = data?.data.find((row) => row.email === email && row.fundingState === 'none')
  if (open === undefined || open.referenceId === made) return null
  const amount = usdExact(open.exact.amountInUSD)
  return (
    <Banner
      tone="warning"
      action={
        <TextLink href={paths.payments({ projectId }, { open: open.referenceId })} instead>
          <Trans>Use the open one</Trans>
        </TextLink>
      }
    >
      <Trans>This customer already has an open link for {amount}. Creating another cancels it.</Trans>
    </Banner>
  )
}
