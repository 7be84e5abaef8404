import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { customerByEmailQuery } from '../../../api/customers.ts'
import type { FieldProps } from '../../../lib/forms/form.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'

type CustomerFieldProps = FieldProps<string> & {
  readonly projectId: string
  /** Whether the project takes no link without one. */
  readonly isRequired: boolean
}

/** The customer's e-mail, with what the project knows of them. */
export function CustomerField({ projectId, isRequired, ...field }: CustomerFieldProps) {
  const email = field.value.trim()
  const { data: known } = useQuery(customerByEmailQuery(projectId, email))
  return (
    <TextField
      {...field}
      label={t`Customer e-mail`}
      type="email"
      inputMode="email"
      hint={
        email === '' && !isRequired
          ? t`Optional: without it the link gets a new customer.`
          : hintOf(known?.customer_id, known === null, email)
      }
    />
  )
}

function hintOf(customerId: string | undefined, isNew: boolean, email: string): string {
  if (isNew) return t`A new customer.`
  if (customerId === undefined) return t`Who pays. Kassa sends no mail to it.`
  return customerId === email.toLowerCase() ? t`A customer you know.` : t`Your customer ${customerId}.`
}
