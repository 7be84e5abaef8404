import type { VaultState } from '@kassa/chains/sweep-vaults.ts'

import type { Context } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { clearAlarm, type NewAlarm, raiseAlarm } from '../alarms/service.ts'
import { canMail, sendEmail } from '../mail/service.ts'
import { rootEmails } from '../operators/accounts/service.ts'
import { collectorProposed } from './emails.ts'
import { factsOf, isChanged } from './rules.ts'
import { updateVaultFacts, type VaultFacts, type VaultRow } from './store.ts'
import { blockchainOf } from './vaults.ts'
import { keyOf } from './chain/addresses.ts'

type Mail = Omit<Parameters<typeof collectorProposed>[0], 'readyAt'> & { readonly to: string; readonly readyAt: string }

export const mailProposalJob = job({
  queue: 'sweep-contracts.mail-proposal',
  worker: 'email-processor',
  async run(ctx: Context, { to, readyAt, ...change }: Mail) {
    const message = collectorProposed({ ...change, readyAt: new Date(readyAt) })
    if (await canMail(ctx)) await sendEmail(ctx, { to, message })
  },
})

/**
 * Stores the state of a sweep contract on its chain, and mails every root at once about a proposed collector, which they can
 * refuse for 48 hours. Call it in a transaction that has locked the row.
 */
export async function noteState(tx: Context, row: VaultRow, state: VaultState): Promise<void> {
  const blockchain = await blockchainOf(tx, row)
  const facts = factsOf(state, keyOf(tx, blockchain, state.owner))
  await updateVaultFacts(tx, row.id, facts)
  await announceProposal(tx, row, { what: 'collector', current: state.collector, facts, code: blockchain.code })
  await announceProposal(tx, row, { what: 'owner', current: state.owner, facts, code: blockchain.code })
  await announceChange(tx, row, facts, blockchain.code)
  if (!isChanged(row, facts)) return
  tx.log.info({ contract: row.address, blockchain: blockchain.code, facts }, 'a sweep contract says something new')
  await tx.events.emit(tx, {
    type: 'contract.changed',
    projectId: null,
    payload: { contract_address_id: row.id, wallet_id: row.wallet_id },
  })
}

type Proposal = {
  readonly what: 'collector' | 'owner'
  readonly current: string
  readonly facts: VaultFacts
  readonly code: string
}

async function announceProposal(tx: Context, row: VaultRow, { what, current, facts, code }: Proposal): Promise<void> {
  const subject = `${code} ${row.address} ${what}`
  const proposed = what === 'collector' ? facts.pending_collector : facts.pending_owner
  const readyAt = what === 'collector' ? facts.collector_ready_at : facts.owner_ready_at
  if (proposed === null || readyAt === null) {
    await clearAlarm(tx, { kind: 'collector_change_pending', subject })
    return
  }
  const { address: contract } = row
  // Only the owner can propose, so the owner did.
  const change = { contract, current, proposed, by: facts.owner, readyAt: readyAt.toISOString() }
  await raise(tx, subject, { case: what, blockchainCode: code, ...change })
  const before = what === 'collector' ? row.collector_ready_at : row.owner_ready_at
  if (before?.getTime() === readyAt.getTime() || !(await canMail(tx))) return
  const mail = { what, blockchain: code, ...change }
  for (const to of await rootEmails(tx)) await mailProposalJob.send(tx, { ...mail, to })
}

/** The chain has another collector than operators confirmed: nothing is swept until they look. */
async function announceChange(tx: Context, row: VaultRow, facts: VaultFacts, code: string): Promise<void> {
  const subject = `${code} ${row.address} changed`
  if (facts.collector_on_chain === row.collector) {
    await clearAlarm(tx, { kind: 'collector_change_pending', subject })
    return
  }
  const { address: contract, collector: expected } = row
  const place = { blockchainCode: code, contract }
  await raise(tx, subject, { case: 'collector_changed', ...place, expected, found: facts.collector_on_chain })
}

type Params = Extract<NewAlarm, { kind: 'collector_change_pending' }>['params']

async function raise(tx: Context, subject: string, params: Params): Promise<void> {
  await raiseAlarm(tx, { kind: 'collector_change_pending', subject, params })
}
