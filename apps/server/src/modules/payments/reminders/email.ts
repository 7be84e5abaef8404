/** The mail that reminds a customer of an open link. */
import { usd } from '@kassa/primitives/money/usd.ts'

import type { EmailMessage } from '../../mail/service.ts'
import type { Payment } from '../payment/payment.ts'

/** What reminds a customer of a payment at this link. */
export function reminderOf(payment: Payment, url: string): EmailMessage {
  const { project, description, expiresAt } = payment
  const amount = dollars(payment)
  const end = expiresAt.toISOString().slice(0, 16).replace('T', ' ')
  return {
    subject: `Your payment of ${amount} to ${project.name} is still open`,
    paragraphs: [
      ...(description === '' ? [] : [`${project.name} asks you to pay ${amount} for: ${description}`]),
      `The link can be paid until ${end} UTC. Open it for the address and the exact amount, and send nothing after that time.`,
    ],
    action: { label: `Pay ${amount}`, url },
    foot:
      'This is the only reminder of this payment. If you do not want to pay, or have paid already, there is nothing to do.' +
      (project.supportEmail === '' ? '' : ` Questions: ${project.supportEmail}`),
  }
}

function dollars({ amountUsd }: Payment): string {
  const [whole = '0', cents = '00'] = usd(amountUsd).split('.')
  return `$${BigInt(whole).toLocaleString('en-US')}.${cents}`
}
