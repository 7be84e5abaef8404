import type { Operator } from '@kassa/contract/operators/schemas.ts'
import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import type { PromoterRow } from '@kassa/contract/referral/schemas.ts'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { promotersQuery } from '../../api/growth.ts'
import { useCan } from '../../api/me.ts'
import { membersQuery } from '../../api/member-lists.ts'
import { paymentsQuery } from '../../api/payments.ts'
import { projectsQuery } from '../../api/projects.ts'
import { paymentBadge } from '../../labels/payment-labels.ts'
import { useCurrentProject } from '../../lib/navigation/current-project.ts'
import { paths } from '../../lib/paths.ts'
import { usd } from '../../lib/text/format.ts'
import { shortReference } from '../../lib/text/short-reference.ts'
import {
  chargeCommand,
  type Command,
  doCommands,
  findCommands,
  pageCommands,
  projectCommands,
  type PaletteContext,
} from './commands.ts'

/** Payments, promoters and members are looked for from so many letters on. */
const SEARCH_FROM = 3
const FOUND_PAYMENTS = 5

/** Finds what the typed text may mean, on this page at once and among the payments of the server. */
export function useCommands(text: string) {
  const { id: projectId } = useCurrentProject()
  const { data: projects = [] } = useQuery(projectsQuery)
  const can = useCan()
  const paletteContext: PaletteContext = { projectId, projects, can }
  const searched = useDeferredValue(text.trim())
  const isSearch = searched.length >= SEARCH_FROM && !/^(>|go\s|charge\s)/i.test(searched)
  const asksPayments = isSearch && can('payment:read', projectId)
  const found = useQuery({
    ...paymentsQuery(projectId, { query: searched, limit: FOUND_PAYMENTS }),
    enabled: asksPayments,
  })
  const asksMembers = isSearch && can('operator:read')
  const foundMembers = useQuery({
    ...membersQuery({ query: searched, limit: FOUND_PAYMENTS }),
    enabled: asksMembers,
  })
  const asksPromoters = isSearch && can('referral:read', projectId)
  const foundPromoters = useQuery({
    ...promotersQuery(projectId, { query: searched, limit: FOUND_PAYMENTS }),
    enabled: asksPromoters,
  })
  const charge = chargeCommand(text, paletteContext)
  const own = [...doCommands(paletteContext), ...pageCommands(paletteContext), ...projectCommands(paletteContext)]
  const payments = asksPayments ? (found.data?.data ?? []).map((row) => paymentCommand(row)) : []
  const members = asksMembers ? (foundMembers.data?.data ?? []).map(memberCommand) : []
  const promoters = asksPromoters ? (foundPromoters.data?.data ?? []).map(promoterCommand) : []
  const commands = [
    ...(charge === undefined ? [] : [charge]),
    ...payments,
    ...promoters,
    ...members,
    ...findCommands(text, own),
  ]
  return {
    commands,
    isSearching:
      (asksPayments && found.isFetching) ||
      (asksMembers && foundMembers.isFetching) ||
      (asksPromoters && foundPromoters.isFetching),
    hasFailed:
      (asksPayments && found.isError) ||
      (asksMembers && foundMembers.isError) ||
      (asksPromoters && foundPromoters.isError),
    paletteContext,
  }
}

function promoterCommand({ id, externalPlatformID, email, code }: PromoterRow): Command {
  return {
    id: `promoter ${id}`,
    group: 'promoters',
    label: email,
    hint: code,
    href: paths.promoter({ projectId: externalPlatformID, id }),
  }
}

function memberCommand({ id, email, name }: Operator): Command {
  const hint = name === '' ? undefined : name
  return {
    id: `member ${id}`,
    group: 'members',
    label: email,
    href: paths.members({ query: email }),
    ...(hint !== undefined && { hint }),
  }
}

function paymentCommand(row: PaymentRow): Command {
  const { referenceId, exact, email, customerId, externalPlatformID, paymentStatus: state, fundingState } = row
  return {
    id: `payment ${referenceId}`,
    group: 'payments',
    label: `${usd(exact.amountInUSD)} · ${email ?? customerId}`,
    badge: paymentBadge({ state, fundingState, cancelReason: row.cancelReason ?? null }),
    at: row.createdAt,
    hint: shortReference(referenceId),
    href: paths.payments({ projectId: externalPlatformID }, { open: referenceId }),
  }
}
