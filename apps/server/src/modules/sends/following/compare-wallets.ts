import { findFamily } from '@kassa/primitives/chains/families.ts'

import { inTransaction } from '../../../context.ts'
import { nextSequence } from '../record/rules.ts'
import { sequencesOf } from '../signing/sequences.ts'
import { lockSigner, readSigner } from '../record/store.ts'
import { lockWallet } from '../record/wallet-locks.ts'
import type { Pass } from './following.ts'
import { listUnlockedWallets } from './open-store.ts'
import { COMPARE_WALLETS_MS, isDue } from './rules.ts'

/**
 * Locks wallets whose key has sent more transactions than we know of (D-9): the database is older than the chain, or another program
 * else has the key. It asks the chain first and reads our rows afterwards, so that our rows are at least as new.
 */
export async function compareWallets(pass: Pass): Promise<void> {
  const { ctx, row, needsSecond, memory } = pass
  const now = ctx.now().getTime()
  // Where nodes of two operators are switched on, one alone locks no wallet.
  if (needsSecond || !isDue(memory.walletsAt, COMPARE_WALLETS_MS, now)) return
  const code = memory.walletsAt === null ? 'behind' : 'used_elsewhere'
  const familyId = findFamily(row.definition.family)?.id ?? 0
  let isComplete = true
  for (const wallet of await listUnlockedWallets(ctx, row.id, familyId)) {
    const about = { blockchain: row.code, walletId: String(wallet.walletId) }
    isComplete = (await pass.attempt(about, () => compareWallet(pass, wallet, code))) !== null && isComplete
  }
  if (isComplete) memory.walletsAt = now
}

async function compareWallet(
  { ctx, row, sender, session, other }: Pass,
  { walletId, address }: { readonly walletId: number; readonly address: string },
  code: 'behind' | 'used_elsewhere',
): Promise<true> {
  const chain = (await sequencesOf({ sender, key: { address } }, session, other))?.agreed
  if (!chain) return true
  await inTransaction(ctx, async (tx) => {
    await lockSigner(tx, walletId)
    const own = await readSigner(tx, walletId, row.id)
    const choice = nextSequence({ ...own, chain })
    if (own.isLocked || choice.kind !== 'used_elsewhere') return
    const { expected, found } = choice
    await lockWallet(tx, { walletId, blockchainId: row.id, code, expected, found })
  })
  return true
}
