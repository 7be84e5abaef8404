import { withdrawalMachine } from '@kassa/contract/withdrawals/machine.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'
import { t } from '@lingui/core/macro'

import type { PayoutFilter } from '../../../api/payouts.ts'
import { PAYOUT_STATES } from '../../../labels/payout-labels.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { localIso } from '../../../lib/time/time.ts'
import type { ChoiceField, DateField, FilterField } from '../../../ui/filters/filter-fields.ts'
import { chosenDays, isSet, readChoice } from '../../../ui/filters/filter-fields.ts'
import { pageSizeOf } from '../../../ui/list/paging.ts'

export const VIEWS = ['all', 'mine', 'waiting', 'today', 'failed'] as const
export type View = (typeof VIEWS)[number]

type Search = Readonly<Record<string, string | undefined>>
type States = NonNullable<PayoutFilter['status']>

/** What each view asks for beside the operator's own filters. */
const OF_VIEW: Readonly<
  Record<View, { readonly status?: States; readonly sent?: string; readonly waitingFor?: 'me' }>
> = {
  all: {},
  mine: { waitingFor: 'me' },
  waiting: { status: ['pending-approval', 'pending'] },
  today: { status: ['sent', 'processed'], sent: 'today' },
  failed: { status: ['failed'] },
}

const stateField = (): ChoiceField => ({
  kind: 'choice',
  key: 'status',
  label: t`State`,
  options: withdrawalMachine.states.map((state) => ({ value: state, label: t(PAYOUT_STATES[state].word) })),
})

const typeField = (): ChoiceField => ({
  kind: 'choice',
  key: 'type',
  label: t`Type`,
  options: [
    { value: 'payout', label: t`Payout` },
    { value: 'payout_merchant', label: t`Payout by API key` },
    { value: 'withdrawal', label: t`Referral reward` },
  ],
})

/** What money is paid out in. */
const CURRENCIES = [
  'USDC',
  'USDT',
  'ETH',
  'CBBTC',
  'POL',
  'TRX',
  'BTC',
  'SOL',
] as const satisfies readonly CurrencyCode[]

const networkField = (): ChoiceField => ({
  kind: 'choice',
  key: 'chain',
  label: t`Network`,
  options: BLOCKCHAINS.map(({ code, name }) => ({ value: code, label: name })),
})

const currencyField = (): ChoiceField => ({
  kind: 'choice',
  key: 'currency',
  label: t`Currency`,
  options: CURRENCIES.map((code) => ({ value: code, label: code })),
})

const createdField = (): DateField => ({ kind: 'date', key: 'created', label: t`Created` })
const sentField = (): DateField => ({ kind: 'date', key: 'sent', label: t`Sent` })

/** What the list may be narrowed by. */
export function payoutFields(): FilterField[] {
  return [stateField(), typeField(), networkField(), currencyField(), createdField(), sentField()]
}

/** Returns what the address asks the server for. */
export function payoutFilter(search: Search, view: View, now: Date): PayoutFilter {
  const own = readChoice(stateField(), search.status) as States
  const types = readChoice(typeField(), search.type) as NonNullable<PayoutFilter['type']>
  const [chains, currencies] = [readChoice(networkField(), search.chain), readChoice(currencyField(), search.currency)]
  const { status, sent, waitingFor } = OF_VIEW[view]
  const created = chosenDays(search.created, now)
  const sentOn = chosenDays(search.sent ?? sent, now)
  const isDated = [created, sentOn].some(({ from, to }) => from !== undefined || to !== undefined)
  const asked: PayoutFilter = {
    limit: pageSizeOf(search.limit),
    ...(own.length > 0 ? { status: own } : status && { status }),
    ...(waitingFor && { waitingFor }),
    ...(types.length > 0 && { type: types }),
    ...(chains.length > 0 && { blockchainCode: [...chains] }),
    ...(currencies.length > 0 && { currencyCode: [...currencies] }),
    ...(created.from && { dateFrom: localIso(created.from, 'start', now) }),
    ...(created.to && { dateTo: localIso(created.to, 'end', now) }),
    ...(sentOn.from && { sentAfter: localIso(sentOn.from, 'start', now) }),
    ...(sentOn.to && { sentBefore: localIso(sentOn.to, 'end', now) }),
    ...(isDated && { timezone: operatorZone() }),
    ...(search.query && { search: search.query }),
    ...(search.cursor && { cursor: search.cursor }),
    ...(search.sortBy && { sortBy: search.sortBy, sortDirection: search.sortDirection === 'ASC' ? 'ASC' : 'DESC' }),
  }
  return asked
}

/** Whether the address narrows the list beside its view. */
export function isNarrowed(search: Search): boolean {
  return Boolean(search.query) || payoutFields().some((field) => isSet(field, search[field.key]))
}
