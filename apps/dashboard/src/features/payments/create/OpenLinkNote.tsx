import type { OpenLink } from '@kassa/contract/payments/schemas.ts'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { customerByEmailQuery } from '../../../api/customers.ts'
import { paymentsQuery } from '../../../api/payments.ts'
import { paths } from '../../../lib/paths.ts'
import { usdExact } from '../../../lib/text/format.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'

export type OpenLinkNoteProps = {
  readonly projectId: string
  readonly email: string
  /** The link this form just made: that one is no surprise. */
  readonly made: string | undefined
  /** The open link because of which the server refused the form. */
  readonly refused: OpenLink | undefined
  /** Told that the form, which is sent next, may end the open link. */
  readonly onReplace: () => void
}

/**
 * Says that the customer has a link already, which a new one would end, and offers both: to use it, or to make the new one
 * all the same. Nothing but that press ends a link.
 */
export function OpenLinkNote({ refused, ...props }: OpenLinkNoteProps) {
  return refused === undefined ? <KnownLink {...props} /> : <RefusedLink {...props} open={refused} />
}

type Actions = Pick<OpenLinkNoteProps, 'projectId' | 'onReplace'>

function RefusedLink({ open, ...actions }: Actions & { open: OpenLink }) {
  const amount = usdExact(open.amountInUSD)
  return (
    <Banner tone="danger" action={<Choice {...actions} reference={open.referenceID} />}>
      <Trans>
        No link was made: this customer already has an open link for {amount}.{' '}
        <Plural
          value={open.openLinks}
          one="Creating another cancels it."
          other="Creating another cancels all # open links of this customer."
        />
      </Trans>
    </Banner>
  )
}

function KnownLink({ email, ...props }: Omit<OpenLinkNoteProps, 'refused'>) {
  const { data: known } = useQuery(customerByEmailQuery(props.projectId, email.trim()))
  return known ? <Note {...props} email={known.email} /> : null
}

function Note({ projectId, email, made, onReplace }: Omit<OpenLinkNoteProps, 'refused'>) {
  const { data } = useQuery(paymentsQuery(projectId, { query: email, paymentStatus: ['OPEN'], limit: 1 }))
  const open = data?.data.find((row) => row.email === email && row.fundingState === 'none')
  if (open === undefined || open.referenceId === made) return null
  const amount = usdExact(open.exact.amountInUSD)
  return (
    <Banner tone="warning" action={<Choice projectId={projectId} reference={open.referenceId} onReplace={onReplace} />}>
      <Trans>This customer already has an open link for {amount}. Creating another cancels it.</Trans>
    </Banner>
  )
}

function Choice({ projectId, reference, onReplace }: Actions & { reference: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <TextLink href={paths.payments({ projectId }, { open: reference })} instead>
        <Trans>Use the open one</Trans>
      </TextLink>
      {/* No submit button: the first one of a form is what Enter in a field presses. */}
      <Button
        size="small"
        onClick={({ currentTarget }) => {
          onReplace()
          currentTarget.form?.requestSubmit()
        }}
      >
        <Trans>Create anyway</Trans>
      </Button>
    </div>
  )
}
