import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../context.ts'
import { macOf } from './sources/authenticity.ts'
import { fillPoolJob } from './pool.ts'
import { findVaultSource, insertVault } from './sources/store.ts'
import { linkFirst } from './linking/service.ts'
import { lockLinks } from './linking/store.ts'
import { findWalletRow, insertDefaults, insertWallet, reviveWallet, type WalletRow } from './wallet/store.ts'

/** A sweep contract that was verified on its chain; its address follows from `creator` and `salt`. */
export type VerifiedVault = {
  readonly familyId: number
  readonly vault: string
  readonly creator: string
  readonly salt: string
}

/**
 * Returns the contract wallet of a sweep contract, and creates it where there is none: on another blockchain of the family it
 * is the same wallet with the same addresses. Call it in the transaction that registers the contract.
 * @throws WALLET_NOT_FOUND when the named wallet is of another kind
 * @throws CONTRACT_MISMATCH when the named wallet has another contract
 */
export async function addContractWallet(
  tx: Context,
  source: VerifiedVault,
  { name, walletId, projectId }: { name: string; walletId?: number | undefined; projectId?: number | undefined },
): Promise<WalletRow> {
  const known = await findVaultSource(tx, source.familyId, source.vault)
  if (walletId !== undefined) await requireSame(tx, walletId, known?.walletId)
  const wallet = known ? await takeUp(tx, known, name) : await insertContractWallet(tx, source, name)
  await insertDefaults(tx, { familyId: source.familyId, roles: ['deposit'], walletId: wallet.id })
  await fillPoolJob.send(tx, { walletId: wallet.id, familyId: source.familyId })
  if (projectId !== undefined) {
    await lockLinks(tx, [projectId])
    await linkFirst(tx, { projectIds: [projectId], familyId: source.familyId, walletId: wallet.id })
  }
  await tx.events.emit(tx, {
    type: 'wallet.changed',
    projectId: projectId ?? null,
    payload: { wallet_id: wallet.id },
  })
  return wallet
}

async function requireSame(tx: Context, walletId: number, knownId: number | undefined): Promise<void> {
  const asked = await findWalletRow(tx, walletId)
  if (asked?.wallet_sub_type !== 'scw') fail('WALLET_NOT_FOUND')
  if (knownId === walletId) return
  fail('CONTRACT_MISMATCH', {
    details:
      'This wallet has another contract. Deploy with the owner and salt of its first one: the address is the same on every network.',
  })
}

async function takeUp(tx: Context, known: { walletId: number; isDeleted: boolean }, name: string): Promise<WalletRow> {
  if (known.isDeleted) return reviveWallet(tx, known.walletId, name)
  return (await findWalletRow(tx, known.walletId)) ?? fail('WALLET_NOT_FOUND')
}

async function insertContractWallet(tx: Context, source: VerifiedVault, name: string): Promise<WalletRow> {
  const wallet = await insertWallet(tx, {
    name,
    wallet_type: 'deposit_wallet',
    wallet_sub_type: 'scw',
    secret_type: 'create2',
    created_by: tx.caller.kind === 'operator' ? tx.caller.operatorId : null,
  })
  const { familyId: family_id, ...rest } = source
  const row = { wallet_id: wallet.id, family_id, ...rest }
  await insertVault(tx, { ...row, mac: macOf(tx, { kind: 'create2', ...row }) })
  return wallet
}
