import type { Context } from '../../context.ts'
import type { JobDefinition } from '../../jobs/jobs.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { compareAddresses } from './compare-addresses.ts'
import type { Invariant } from '../ledger/service.ts'
import { recordCheck } from './service.ts'
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'

const BROKEN = { kind: 'ledger_imbalance', subject: 'books' } as const

export const reconciliationJobs = (invariants: readonly Invariant[]): readonly JobDefinition[] => [
  {
    queue: 'ledger.check-books',
    run: async (ctx) => {
      const { ok, broken, chainDrift } = await recordCheck(ctx, invariants)
      if (ok) return clearAlarm(ctx, BROKEN)
      ctx.log.error({ broken, chainDrift }, 'the books do not balance')
      await raiseAlarm(ctx, { ...BROKEN, text: `The books do not balance: ${whyOf(broken, chainDrift)}` })
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

function whyOf(broken: BooksCheck['broken'], chainDrift: BooksCheck['chainDrift']): string {
  const [rule] = broken
  const [drift] = chainDrift
  const where = drift
    ? `${drift.chain} ${drift.currencyCode} on ${drift.blockchainCode} at block ${drift.height}, the books say ${drift.ledger}.`
    : 'The chain holds other amounts than the books.'
  const why = rule ? rule.rule : where
  return `${why} Run npm run check-books to see where.`
}
