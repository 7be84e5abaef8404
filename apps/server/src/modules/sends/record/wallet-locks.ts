import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { updateLock, updateUnlocked } from './lock-store.ts'

/** Why a wallet signs nothing until an operator unlocks it. */
export type WalletLock = { readonly walletId: number; readonly blockchainId: number } & (
  | {
      /** `behind`: found before anything else was sent, as after the restore of an old backup (D-9). */
      readonly code: 'used_elsewhere' | 'behind'
      /** The sequence that we would take, and that the chain is at. */
      readonly expected: bigint
      readonly found: bigint
    }
  | { readonly code: 'below_final'; readonly height: number }
)

/** Locks a wallet on a blockchain and raises the alarm; an earlier lock stays as it is. Joins the open transaction. */
export async function lockWallet(ctx: Context, lock: WalletLock): Promise<void> {
  const { walletId, blockchainId } = lock
  const facts =
    lock.code === 'below_final'
      ? { case: lock.code, height: lock.height }
      : { case: lock.code, expected: String(lock.expected), found: String(lock.found) }
  await updateLock(ctx, { walletId, blockchainId, code: lock.code, params: facts })
  const blockchainCode = codeOf(blockchainId)
  const params = { ...facts, walletID: walletId, blockchainCode }
  await raiseAlarm(ctx, { kind: 'hot_wallet_locked', subject: subjectOf(walletId, blockchainCode), params })
}

/**
 * Lets a wallet sign again from a sequence on, once an operator has looked: what the chain holds below it is not ours, or was
 * lost with a database. False when it was not locked. Joins the open transaction.
 */
export async function unlockWallet(
  ctx: Context,
  wallet: { readonly walletId: number; readonly blockchainId: number; readonly firstSequence: bigint },
): Promise<boolean> {
  if (!(await updateUnlocked(ctx, wallet))) return false
  const subject = subjectOf(wallet.walletId, codeOf(wallet.blockchainId))
  await clearAlarm(ctx, { kind: 'hot_wallet_locked', subject })
  return true
}

/** What alarms about a wallet on a blockchain are filed under. */
export function subjectOf(walletId: number, blockchainCode: string): string {
  return `${blockchainCode} wallet ${walletId}`
}

function codeOf(blockchainId: number): string {
  return findBlockchain(blockchainId)?.code ?? String(blockchainId)
}
