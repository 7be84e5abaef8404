import { useQuery } from '@tanstack/react-query'

import { customerByEmailQuery } from '../../api/customers.ts'
import { paymentsQuery } from '../../api/payments.ts'
import { usdExact } from '../../lib/format.ts'
import type { FieldProps } from '../../lib/form.ts'
import { Banner } from '../../ui/Banner.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { TextLink } from '../../ui/TextLink.tsx'

export type CustomerFieldProps = FieldProps<string> & {
  readonly projectId: string
  /** The link this form just made: that one is no surprise. */
  readonly made: string | undefined
}

/** The customer's e-mail, with what the project knows of them: their id, and a link that is still open. */
export function CustomerField({ projectId, made, ...field }: CustomerFieldProps) {
  const email = field.value.trim()
  const { data: known } = useQuery(customerByEmailQuery(projectId, email))
  return (
    <>
      <TextField
        {...field}
        label="Customer e-mail"
        type="email"
        inputMode="email"
        hint={hintOf(known?.customer_id, known === null, email)}
      />
      {known && <OpenLink projectId={projectId} email={known.email} made={made} />}
    </>
  )
}

function hintOf(customerId: string | undefined, isNew: boolean, email: string): string {
  if (isNew) return 'A new customer.'
  if (customerId === undefined) return 'Who pays. Kassa sends no mail to it.'
  return customerId === email.toLowerCase() ? 'A customer you know.' : `Your customer ${customerId}.`
}

/** Says that the customer has a link already, which a new one would end. */
function OpenLink({ projectId, email, made }: { projectId: string; email: string; made: string | undefined }) {
  const { data } = useQuery(paymentsQuery(projectId, { query: email, paymentStatus: ['OPEN'], limit: 1 }))
  const open = data?.data.find((row) => row.email === email && row.fundingState === 'none')
  if (open === undefined || open.referenceId === made) return null
  return (
    <Banner
      tone="info"
      action={
        <TextLink href={`/project/${projectId}/payments/allPayments?open=${open.referenceId}`}>
          Use the open one
        </TextLink>
      }
    >
      This customer already has an open link for {usdExact(open.exact.amountInUSD)}. Creating another cancels it.
    </Banner>
  )
}
