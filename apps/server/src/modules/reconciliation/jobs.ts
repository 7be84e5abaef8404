import type { AlarmParams } from '@kassa/contract/alarms/catalogue.ts'
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'

import type { Context } from '../../context.ts'
import type { JobDefinition } from '../../jobs/jobs.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { compareAddresses } from './compare-addresses.ts'
import type { Invariant } from '../ledger/service.ts'
import { recordCheck } from './service.ts'

const BROKEN = { kind: 'ledger_imbalance', subject: 'books' } as const

export const reconciliationJobs = (invariants: readonly Invariant[]): readonly JobDefinition[] => [
  {
    queue: 'ledger.check-books',
    run: async (ctx) => {
      const { ok, broken, chainDrift } = await recordCheck(ctx, invariants)
      if (ok) return clearAlarm(ctx, BROKEN)
      ctx.log.error({ broken, chainDrift }, 'the books do not balance')
      await raiseAlarm(ctx, { ...BROKEN, params: imbalanceOf(broken, chainDrift) })
    },
    concurrency: 1,
    // Reading every address of a large install from a slow node takes minutes.
    heartbeatSeconds: 600,
    deadlineSeconds: 3_600,
    everySeconds: 3_600,
  },
  {
    queue: 'watch.compare',
    run: (ctx: Context) => compareAddresses(ctx),
    concurrency: 1,
    // Reading every address of a large install from a slow node takes minutes.
    heartbeatSeconds: 600,
    deadlineSeconds: 3_600,
    everySeconds: 600,
  },
]

/** What stands first in the report: a broken rule, or an asset of which the chain holds another amount. */
function imbalanceOf([rule]: BooksCheck['broken'], [drift]: BooksCheck['chainDrift']): AlarmParams<'ledger_imbalance'> {
  if (rule) return { case: 'invariant', rule: rule.rule }
  if (!drift) return { case: 'sides' }
  const { blockchainCode, currencyCode, height, chain, ledger } = drift
  return { case: 'chain_total', blockchainCode, currencyCode, height, chain, ledger }
}
