import type { AlarmParams } from '@kassa/contract/alarms/catalogue.ts'
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'

import type { Context } from '../../context.ts'
import { type Job, job } from '../../jobs/jobs.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { compareAddresses } from './compare-addresses.ts'
import type { Invariants } from './service.ts'
import { recordCheck } from './service.ts'

const BROKEN = { kind: 'ledger_imbalance', subject: 'books' } as const

/** Reading every address of a large install from a slow node takes minutes. */
const LONG = { heartbeatSeconds: 600, deadlineSeconds: 3_600 } as const

/** Verifies these invariants, and compares the ledger with the chains. */
export function verifyJob(invariants: Invariants): Job<object> {
  return job({
    queue: 'ledger.verify',
    formerly: ['ledger.check-books'],
    worker: 'account-processor',
    run: (ctx) => verify(ctx, invariants),
    ...LONG,
    everySeconds: 3_600,
  })
}

export const compareAddressesJob = job({
  queue: 'reconciliation.compare-addresses',
  formerly: ['watch.compare'],
  worker: 'deposit-processor',
  run: compareAddresses,
  ...LONG,
  everySeconds: 600,
})

async function verify(ctx: Context, invariants: Invariants): Promise<void> {
  const { ok, broken, chainDrift } = await recordCheck(ctx, invariants())
  if (ok) return clearAlarm(ctx, BROKEN)
  ctx.log.error({ broken, chainDrift }, 'the books do not balance')
  await raiseAlarm(ctx, { ...BROKEN, params: imbalanceOf(broken, chainDrift) })
}

/** The first problem of the report: a broken rule, or an asset of which the chain holds another amount. */
function imbalanceOf([rule]: BooksCheck['broken'], [drift]: BooksCheck['chainDrift']): AlarmParams<'ledger_imbalance'> {
  if (rule) return { case: 'invariant', rule: rule.rule }
  if (!drift) return { case: 'sides' }
  const { blockchainCode, currencyCode, height, chain, ledger } = drift
  return { case: 'chain_total', blockchainCode, currencyCode, height, chain, ledger }
}
