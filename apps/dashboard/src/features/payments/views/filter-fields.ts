import { DELIVERY_STATUSES } from '@kassa/contract/webhooks/delivery-statuses.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { CURRENCIES } from '@kassa/primitives/chains/currencies.ts'
import { t } from '@lingui/core/macro'

import { isSet } from '../../../ui/filters/filter-fields.ts'
import type { FilterField, FilterOption } from '../../../ui/filters/filter-fields.ts'
import { deliveryBadge } from '../../../labels/delivery-labels.ts'
import { PAYMENT_STATES } from '../../../labels/payment-labels.ts'

/** Those of a list's fields that name days. */
export const DATE_KEYS = ['created', 'paid', 'updated'] as const

/** The parameters of an address that narrow the list beside its search. */
export const FIELD_KEYS = [
  'status',
  ...DATE_KEYS,
  'amount',
  'asset',
  'network',
  'webhook',
  'createdBy',
  'project',
] as const

/** The values of an address. */
type Search = Readonly<Record<string, string>>

export type NamedProject = { readonly id: number; readonly name: string }

/** Returns what a list of payments can be narrowed by; by project only where several are listed. */
export function paymentFields(
  projects: readonly NamedProject[] | undefined,
  search: Search = {},
): readonly FilterField[] {
  const { project, ...all } = allFields()
  const fields = withOneDay(all, search)
  if (projects === undefined) return Object.values(fields)
  const options = projects.map(({ id, name }) => ({ value: String(id), label: name }))
  return [...Object.values(fields), { ...project, options }]
}

/** A list is of days of creation or of days of the money: while one is set, the other is not offered. */
function withOneDay(fields: Omit<ReturnType<typeof allFields>, 'project'>, search: Search): Partial<typeof fields> {
  const { created, paid, ...others } = fields
  const { status, ...rest } = others
  if (isSet(paid, search.paid)) return { status, paid, ...rest }
  return isSet(created, search.created) ? { status, created, ...rest } : { status, created, paid, ...rest }
}

/** Returns every field a list can have, in the order they are offered. */
export function allFields() {
  return {
    status: { key: 'status', label: t`Status`, kind: 'choice', options: statuses() },
    created: { key: 'created', label: t`Created`, kind: 'date' },
    paid: { key: 'paid', label: t({ message: 'Paid', context: 'filter by the day of the money' }), kind: 'date' },
    updated: { key: 'updated', label: t`Last change`, kind: 'date' },
    amount: { key: 'amount', label: t`Amount`, kind: 'amount' },
    asset: {
      key: 'asset',
      label: t`Asset`,
      kind: 'choice',
      options: CURRENCIES.map(({ code, name }) => ({ value: code, label: `${code}, ${name}` })),
    },
    network: {
      key: 'network',
      label: t`Network`,
      kind: 'choice',
      options: BLOCKCHAINS.map(({ code, name }) => ({ value: code, label: name })),
    },
    webhook: {
      key: 'webhook',
      label: t`Webhook`,
      kind: 'choice',
      options: DELIVERY_STATUSES.map((value) => ({ value, label: deliveryBadge(value).word })),
    },
    createdBy: {
      key: 'createdBy',
      label: t`Created by`,
      kind: 'choice',
      options: [
        { value: 'user', label: t`An operator` },
        { value: 'system', label: t`An API key` },
      ],
    },
    // Its projects are those the operator may see; an address may name one before they are known.
    project: { key: 'project', label: t`Project`, kind: 'choice', options: [], others: /^\d{1,9}$/ },
  } satisfies Record<(typeof FIELD_KEYS)[number], FilterField>
}

/** The states a list can be narrowed to, with the words the server knows them by. */
function statuses(): FilterOption[] {
  const states = Object.entries(PAYMENT_STATES).map(([value, word]) => ({ value, label: t(word) }))
  return [
    ...states,
    { value: 'LATE', label: t`Late` },
    { value: 'REOPENED', label: t`Reopened` },
    { value: 'ON_HOLD', label: t`On hold` },
    { value: 'WEBHOOK_FAILED', label: t`Webhook failed` },
    { value: 'NEEDS_ATTENTION', label: t`Needs attention` },
    { value: 'SHORT_NEEDS_ATTENTION', label: t`Short, needs attention` },
    { value: 'OVER_NEEDS_ATTENTION', label: t`Over, needs attention` },
    { value: 'LATE_NEEDS_ATTENTION', label: t`Late, needs attention` },
  ]
}
