import type { Cause } from '@kassa/contract/kit/reason.ts'
import type { PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { startSend, type StartedSend } from '../../sends/service.ts'
import { findHotWallet } from '../../wallets/hot/service.ts'
import { lockPolicy } from '../policy/service.ts'
import { announcePayout } from '../record/announce.ts'
import { moveReleased, type WithdrawalRow } from '../record/service.ts'
import { findWithdrawal, lockWithdrawal, moveWithdrawal, updateWait } from '../record/store.ts'
import { ceilingOf, coinOf } from './fees.ts'
import { recheck, type Verdict } from './recheck.ts'
import { refusalText, waitOf } from './rules.ts'

/** The result of trying to sign a payout; `gone`: another process moved it. */
export type Signing =
  | { readonly kind: 'signed' | 'asked' | 'gone' }
  | { readonly kind: 'waits'; readonly wait: Cause<PayoutWaits> }

/**
 * Signs one payout that is decided, or says why it waits. It checks the policy, the payout's bytes and its approvals twice:
 * before nodes are asked, and under the locks of the signature. Harmless to repeat (D-1).
 */
export async function sendPayout(ctx: Context, id: bigint): Promise<Signing> {
  const first = await inTransaction(ctx, (tx) => mayBeSigned(tx, id))
  if (first.kind !== 'sign') return applyDecision(ctx, id, first)
  const { row } = first
  const asset = await getAsset(ctx, row.asset_id)
  const coin = await coinOf(ctx, asset)
  const names = { chain: asset.blockchainCode, currency: asset.currencyCode, coin: coin.currencyCode }
  const maxFee = await ceilingOf(ctx, row, { asset, coin })
  if (maxFee === null)
    return applyDecision(ctx, id, waiting({ code: 'NO_PRICE', params: { currency: coin.currencyCode } }))
  const wallet = await findHotWallet(ctx, { blockchainId: row.blockchain_id, purpose: 'payout' })
  if (!wallet) return applyDecision(ctx, id, waiting({ code: 'NO_WALLET', params: { chain: names.chain } }))
  const result = await startSend(ctx, {
    walletId: wallet.walletId,
    blockchainId: row.blockchain_id,
    purpose: 'payout',
    projectId: row.project_id,
    intent: { kind: 'transfer', assetId: row.asset_id, to: row.to_address, units: BigInt(row.units) },
    maxFee,
    item: { withdrawalId: row.id },
    within: (tx, started) => recordSigned(tx, row, { started, walletId: wallet.walletId }),
  })
  if (result.kind === 'started') return { kind: 'signed' }
  if (result.kind === 'declined') return { kind: 'gone' }
  if (result.kind === 'waits') return applyDecision(ctx, id, waiting(waitOf(result.why, names)))
  return applyDecision(ctx, id, waiting({ code: 'WOULD_FAIL', params: { reason: refusalText(result.why) } }))
}

type SigningDecision = Verdict | { readonly kind: 'gone' } | { readonly kind: 'sign'; readonly row: WithdrawalRow }

function waiting(wait: Cause<PayoutWaits>): Extract<Verdict, { kind: 'wait' }> {
  return { kind: 'wait', wait }
}

/** Locks the policy, then the payout, and decides whether it can be signed; sends it back for approval where that is needed. */
async function mayBeSigned(
  tx: Context,
  id: bigint,
): Promise<Exclude<SigningDecision, { kind: 'sign' }> | { kind: 'sign'; row: WithdrawalRow }> {
  const found = await findWithdrawal(tx, id, 'every')
  if (!found) return { kind: 'gone' }
  const policy = await lockPolicy(tx, found.project_id)
  const row = await lockWithdrawal(tx, id)
  if (row?.status !== 'pending') return { kind: 'gone' }
  const verdict = await recheck(tx, row, policy)
  if (verdict.kind === 'ask') await moveReleased(tx, row, 'askAgain', verdict.changes)
  return verdict.kind === 'sign' ? { kind: 'sign', row } : verdict
}

async function applyDecision(
  ctx: Context,
  id: bigint,
  verdict: Exclude<SigningDecision, { kind: 'sign' }>,
): Promise<Signing> {
  if (verdict.kind === 'gone') return { kind: 'gone' }
  if (verdict.kind === 'ask') return { kind: 'asked' }
  await inTransaction(ctx, async (tx) => {
    const row = await updateWait(tx, id, verdict.wait)
    if (row) tx.events.announce(tx, { name: 'payout.waits', projectId: row.project_id, data: { id: String(id) } })
  })
  return { kind: 'waits', wait: verdict.wait }
}

/**
 * Runs in the transaction of the signature and checks again that nothing has changed. When it returns false, nothing is signed.
 */
async function recordSigned(
  tx: Context,
  checked: WithdrawalRow,
  { started, walletId }: { readonly started: StartedSend; readonly walletId: number },
): Promise<boolean> {
  const policy = await lockPolicy(tx, checked.project_id)
  const row = await lockWithdrawal(tx, checked.id)
  if (row?.status !== 'pending' || !row.digest.equals(checked.digest) || row.units !== checked.units) return false
  if (row.to_address !== checked.to_address || (await recheck(tx, row, policy)).kind !== 'sign') return false
  const signed = { send_id: started.sendId, wallet_id: walletId, from_address: started.from, tx_id: started.txId }
  const moved = await moveWithdrawal(tx, row.id, 'sign', { ...signed, wait_code: null, wait_params: null })
  if (!moved) return false
  await announcePayout(tx, moved)
  return true
}
