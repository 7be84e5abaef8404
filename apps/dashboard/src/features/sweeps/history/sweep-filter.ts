import { sweepMachine } from '@kassa/contract/sweeps/machine.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { t } from '@lingui/core/macro'

import type { SweepFilter } from '../../../api/sweeps.ts'
import { SWEEP_LOOKS } from '../../../labels/sweep-labels.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { localIso } from '../../../lib/time/time.ts'
import type { ChoiceField, DateField, FilterField } from '../../../ui/filters/filter-fields.ts'
import { chosenDays, isSet, readChoice } from '../../../ui/filters/filter-fields.ts'
import { pageSizeOf } from '../../../ui/list/paging.ts'

type Search = Readonly<Record<string, string | undefined>>

/** Where sweeps exist: deposits on Solana stay at their addresses. */
const NETWORKS = BLOCKCHAINS.filter(({ family }) => family !== 'SOL_Family')

const stateField = (): ChoiceField => ({
  kind: 'choice',
  key: 'status',
  label: t`State`,
  options: sweepMachine.states.map((state) => ({ value: state, label: t(SWEEP_LOOKS[state].word) })),
})

const networkField = (): ChoiceField => ({
  kind: 'choice',
  key: 'chain',
  label: t`Network`,
  options: NETWORKS.map(({ code, name }) => ({ value: code, label: name })),
})

const startedField = (): DateField => ({ kind: 'date', key: 'created', label: t`Started` })

/** What the history may be narrowed by. */
export function sweepFields(): FilterField[] {
  return [stateField(), networkField(), startedField()]
}

/** Returns what the address asks the server for. */
export function sweepFilter(search: Search, now: Date): SweepFilter {
  const status = readChoice(stateField(), search.status) as NonNullable<SweepFilter['status']>
  const blockchainCode = readChoice(networkField(), search.chain)
  const { from, to } = chosenDays(search.created, now)
  return {
    limit: pageSizeOf(search.limit),
    ...(status.length > 0 && { status }),
    ...(blockchainCode.length > 0 && { blockchainCode: [...blockchainCode] }),
    ...(from && { dateFrom: localIso(from, 'start', now) }),
    ...(to && { dateTo: localIso(to, 'end', now) }),
    ...((from ?? to) && { timezone: operatorZone() }),
    ...(search.cursor && { cursor: search.cursor }),
  }
}

/** Whether the address narrows the history. */
export function isNarrowed(search: Search): boolean {
  return sweepFields().some((field) => isSet(field, search[field.key]))
}
