import { fail } from '@kassa/contract/kit/api-error.ts'
import { walletMachine } from '@kassa/contract/wallets/machine.ts'
import type { Wallet, WalletChange } from '@kassa/contract/wallets/schemas.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { sourcesOf } from '@kassa/primitives/machine.ts'
import { type Context, inTransaction } from '../../context.ts'
import { listProjects } from '../projects/service.ts'
import { delayColdWallet } from './cold/service.ts'
import { setFloatLimit } from './hot/service.ts'
import { deleteKeys } from './addresses-store.ts'
import { deletePendingLinks, listLinks, listPendingLinks } from './linking/store.ts'
import {
  deleteDefaults,
  findWalletRow,
  hideWallet,
  insertDefaults,
  lockWallet,
  moveWallet,
  updateWalletName,
  upsertDefaults,
} from './wallet/store.ts'
import type { DefaultRole } from './wallet/tables.ts'

/** Renames a wallet; for a hot one, also sets what it may hold before its excess is shown. @throws VALIDATION_FAILED */
export async function changeWallet(
  ctx: Context,
  wallet: Wallet,
  { name, floatLimitInUSD }: WalletChange,
): Promise<void> {
  if (floatLimitInUSD !== undefined && wallet.walletType !== 'hot_wallet') {
    const message = 'Only a hot wallet has a limit'
    fail('VALIDATION_FAILED', { message, fields: { floatLimitInUSD: message } })
  }
  await inTransaction(ctx, async (tx) => {
    await lockWallet(tx, wallet.id)
    if (name !== undefined) await updateWalletName(tx, wallet.id, name)
    if (floatLimitInUSD !== undefined) await setFloatLimit(tx, wallet.id, floatLimitInUSD)
    const { id: walletID, name: former, floatLimitInUSD: limit } = wallet
    const after = { walletID, name: name ?? former, floatLimitInUSD: floatLimitInUSD ?? limit }
    tx.change({ walletID, name: former, floatLimitInUSD: limit }, after)
    await announce(tx, wallet.id)
  })
}

/**
 * Deletes a wallet that no payer was ever asked to pay to. Its row stays, because an address of ours never stops being ours. A
 * hot wallet is never deleted: only its key can move what may still arrive. @throws WALLET_IN_USE
 */
export async function deleteWallet(ctx: Context, { id, name, walletType, canDelete }: Wallet): Promise<void> {
  if (!canDelete) fail('WALLET_IN_USE')
  await inTransaction(ctx, async (tx) => {
    await lockWallet(tx, id)
    const links = [...(await listLinks(tx, 'every')), ...(await listPendingLinks(tx, 'every'))]
    if (links.some((link) => link.wallet_id === id)) fail('WALLET_IN_USE')
    const isUnused = walletType !== 'deposit_wallet' || (await deleteKeys(tx, id))
    if (!isUnused) fail('WALLET_IN_USE', { details: 'One of its addresses has been given out, or holds money.' })
    await deleteDefaults(tx, id)
    await hideWallet(tx, id)
    tx.change({ walletID: id, name, walletType }, null)
    await announce(tx, id)
  })
}

/** Makes a wallet the default. @throws WALLET_INACTIVE, FAMILY_MISMATCH */
export async function setDefault(ctx: Context, wallet: Wallet, family: string | undefined): Promise<void> {
  const roles = rolesOf(wallet).filter((role) => family === undefined || role.family_id === findFamily(family)?.id)
  if (roles.length === 0) fail('FAMILY_MISMATCH')
  await inTransaction(ctx, async (tx) => {
    await lockWallet(tx, wallet.id)
    if ((await findWalletRow(tx, wallet.id))?.status !== 'active') fail('WALLET_INACTIVE')
    await upsertDefaults(tx, wallet.id, roles)
    const { id: walletID, name } = wallet
    tx.change({ walletID, name, default: wallet.default }, { walletID, name, default: true })
    await announce(tx, wallet.id)
  })
}

/** `activate` and `deactivate` are spellings of existing clients. */
const STATUSES: Readonly<Record<string, Wallet['status']>> = {
  active: 'active',
  activate: 'active',
  inactive: 'inactive',
  deactivate: 'inactive',
}

/**
 * Activates or deactivates a wallet; a wallet in that state already stays so. A cold wallet that is activated again waits like a
 * new one. @throws WALLET_STATUS_UNKNOWN, WALLET_IS_LAST
 */
export async function setStatus(ctx: Context, wallet: Wallet, word: string): Promise<void> {
  const to = STATUSES[word.toLowerCase()] ?? fail('WALLET_STATUS_UNKNOWN')
  await inTransaction(ctx, async (tx) => {
    await lockWallet(tx, wallet.id)
    if (to === 'inactive') await refuseLast(tx, wallet)
    const isMoved = await moveWallet(tx, wallet.id, { from: sourcesOf(walletMachine, to), to })
    if (!isMoved) return
    if (to === 'inactive') await withdraw(tx, wallet.id)
    else await bringBack(tx, wallet)
    const { id: walletID, name } = wallet
    tx.change({ walletID, name, status: to === 'active' ? 'inactive' : 'active' }, { walletID, name, status: to })
    await announce(tx, wallet.id)
  })
}

/** Refuses to remove the deposit wallet that gives new customers of an active project their addresses. @throws WALLET_IS_LAST */
async function refuseLast(tx: Context, { id, walletType }: Wallet): Promise<void> {
  if (walletType !== 'deposit_wallet') return
  const linked = (await listLinks(tx, 'every')).filter((link) => link.wallet_id === id)
  const projects = await listProjects(tx, 'every')
  const [first] = projects.filter(
    ({ id: one, status }) => status === 'active' && linked.some((link) => link.project_id === one),
  )
  if (first) fail('WALLET_IS_LAST', { details: `${first.name} couldn't take payments on this family any more.` })
}

/** Removes a wallet as the default, and the pending changes that would link it. */
async function withdraw(tx: Context, walletId: number): Promise<void> {
  await deleteDefaults(tx, walletId)
  await deletePendingLinks(tx, walletId)
}

/** Makes a wallet the default where there is none, and a cold one wait. One that waits takes the place of no other. */
async function bringBack(tx: Context, wallet: Wallet): Promise<void> {
  if (wallet.walletType === 'cold_wallet' && (await delayColdWallet(tx, wallet))) return
  for (const { family_id: familyId, role } of rolesOf(wallet)) {
    await insertDefaults(tx, { familyId, roles: [role], walletId: wallet.id })
  }
}

type Role = { readonly family_id: number; readonly role: DefaultRole }

/** The roles for which a wallet can be the default. */
function rolesOf({ walletType, walletSubType, walletxpubs, walletFunctions, blockchainFamilyID }: Wallet): Role[] {
  if (walletType === 'deposit_wallet') {
    if (walletSubType === 'scw') return [{ family_id: blockchainFamilyID, role: 'deposit' }]
    return walletxpubs.flatMap(({ family }) => {
      const found = findFamily(family)
      return found ? [{ family_id: found.id, role: 'deposit' as const }] : []
    })
  }
  if (walletType === 'cold_wallet') return [{ family_id: blockchainFamilyID, role: 'cold' }]
  return walletFunctions.map(({ activityType }) => ({
    family_id: blockchainFamilyID,
    role: activityType.endsWith('_gas_wallet') ? ('gas' as const) : ('payout' as const),
  }))
}

async function announce(tx: Context, walletId: number): Promise<void> {
  await tx.events.emit(tx, { type: 'wallet.changed', projectId: null, payload: { wallet_id: walletId } })
}
