import type {
  Found,
  FoundCustomer,
  FoundKey,
  FoundMember,
  FoundPayment,
  FoundPayout,
  FoundPromoter,
} from '@kassa/contract/search/schemas.ts'

import { badgeOf, paymentBadge } from '../../labels/payment-labels.ts'
import { PAYOUT_STATES } from '../../labels/payout-labels.ts'
import { paths } from '../../lib/paths.ts'
import { usd } from '../../lib/text/format.ts'
import { shortReference } from '../../lib/text/short-reference.ts'
import type { Command } from './commands.ts'

/** What the server found, as commands that lead to each. */
export function foundCommands({ payments, customers, payouts, promoters, members, keys }: Found): Command[] {
  return [
    ...(payments ?? []).map(paymentCommand),
    ...(customers ?? []).map(customerCommand),
    ...(payouts ?? []).map(payoutCommand),
    ...(promoters ?? []).map(promoterCommand),
    ...(members ?? []).map(memberCommand),
    ...(keys ?? []).map(keyCommand),
  ]
}

function paymentCommand(found: FoundPayment): Command {
  const { referenceID, externalPlatformID: projectId, paymentStatus: state, fundingState, cancelReason } = found
  return {
    id: `payment ${referenceID}`,
    group: 'payments',
    label: `${usd(found.amountInUSD)} · ${found.email === '' ? found.customerID : found.email}`,
    badge: paymentBadge({ state, fundingState, cancelReason }),
    at: found.createdAt,
    hint: shortReference(referenceID),
    href: paths.payments({ projectId }, { open: referenceID }),
  }
}

/** A customer has no page: their payments are what there is to see. */
function customerCommand({ id, externalPlatformID: projectId, email, customerID, name }: FoundCustomer): Command {
  const label = email === '' ? customerID : email
  const hint = name === '' ? customerID : name
  return {
    id: `customer ${id}`,
    group: 'customers',
    label,
    ...(hint !== label && { hint }),
    href: paths.payments({ projectId }, { query: customerID }),
  }
}

function payoutCommand(found: FoundPayout): Command {
  const { id, externalPlatformID: projectId, amount, currencyCode, blockchainCode, recipientName, status } = found
  const recipient = recipientName ?? found.recipientEmail ?? found.toAddress
  return {
    id: `payout ${id}`,
    group: 'payouts',
    label: `${amount} ${currencyCode} · ${recipient}`,
    badge: badgeOf(PAYOUT_STATES[status], status),
    at: found.createdAt,
    hint: blockchainCode,
    href: paths.payouts({ projectId: String(projectId), open: String(id) }),
  }
}

function promoterCommand({ id, externalPlatformID: projectId, email, code }: FoundPromoter): Command {
  return { id: `promoter ${id}`, group: 'promoters', label: email, hint: code, href: paths.promoter({ projectId, id }) }
}

function memberCommand({ id, email, name }: FoundMember): Command {
  return {
    id: `member ${id}`,
    group: 'members',
    label: email,
    href: paths.members({ query: email }),
    ...(name !== '' && { hint: name }),
  }
}

function keyCommand({ id, externalPlatformID: projectId, name, last4 }: FoundKey): Command {
  return {
    id: `key ${id}`,
    group: 'keys',
    label: name,
    hint: `…${last4}`,
    href: paths.developers({ projectId: String(projectId), tabId: 'apiKeys' }),
  }
}
