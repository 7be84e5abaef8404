// Which deposit wallet gives the customers of a project their addresses. Another wallet in place of one redirects the money of new
// customers, so every root is mailed, and on mainnet a day passes before it takes effect: enough time for somebody to withdraw it.
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { LinkWallets } from '@kassa/contract/wallets/schemas.ts'
import { FAMILIES, type Family } from '@kassa/primitives/chains/families.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { walletChangeDelayHours } from '../cold/service.ts'
import { findWalletRow, lockWallet, type WalletRow } from '../wallet/store.ts'
import { linkable, lockForLinking } from './linkable.ts'
import { mailWalletReplaced } from './mail-replaced.ts'
import {
  deleteDueLink,
  deleteLink,
  deletePendingLinks,
  findFormerWallet,
  listDueLinks,
  listPendingLinks,
  lockLinks,
  type PendingLinkRow,
  upsertLink,
  upsertPendingLink,
} from './store.ts'

export { describeLinks } from './describe-links.ts'

const HOUR_MS = 3_600_000

/**
 * Links deposit wallets to a project, one per family; customers keep the addresses they have. One that replaces another, linked
 * or unlinked before, takes effect after `walletChangeDelayHours`, and every root is mailed; linking the present one again
 * withdraws it.
 * @throws WALLET_NOT_FOUND, WALLET_NOT_DEPOSIT, WALLET_INACTIVE, FAMILY_MISMATCH
 */
export async function linkWallets(ctx: Context, projectId: number, input: LinkWallets): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockForLinking(tx, projectId, input)
    for (const choice of input.wallets) {
      const { family, wallet } = await linkable(tx, choice)
      await linkWallet(tx, projectId, { family, wallet })
      await announce(tx, wallet.id, projectId)
    }
  })
}

type Choice = { readonly family: Family; readonly wallet: WalletRow }

async function linkWallet(tx: Context, projectId: number, { family, wallet }: Choice): Promise<void> {
  const formerId = await findFormerWallet(tx, projectId, family.id)
  const pending = (await listPendingLinks(tx, [projectId])).find((one) => one.family_id === family.id)
  const place = { projectId, familyId: family.id, walletId: wallet.id }
  const isReplaced = formerId !== undefined && formerId !== wallet.id
  // Asked for again it keeps its time: nobody has to be mailed twice.
  if (isReplaced && pending?.wallet_id === wallet.id) return
  const hours = isReplaced ? walletChangeDelayHours(tx) : 0
  const effectiveAt = hours === 0 ? null : new Date(tx.now().getTime() + hours * HOUR_MS)
  if (effectiveAt === null) await upsertLink(tx, place)
  else await upsertPendingLink(tx, { ...place, by: operatorOf(tx), effectiveAt })
  if (isReplaced) await mailWalletReplaced(tx, { projectId, family: family.family, formerId, wallet, effectiveAt })
  const facts = { walletID: wallet.id, family: family.family, name: wallet.name }
  const withdrawn = pending && { pendingWalletID: pending.wallet_id, effectiveAt: pending.effective_at }
  tx.change(withdrawn ?? null, { ...facts, ...(effectiveAt && { effectiveAt }) }, { projectId })
}

/**
 * Links a new wallet to those of these projects that never had one of the family: it replaces none, not even an unlinked one.
 * Lock the links of the projects first.
 */
export async function linkFirst(
  tx: Context,
  ids: { readonly projectIds: readonly number[]; readonly familyId: number; readonly walletId: number },
): Promise<void> {
  const { familyId, walletId } = ids
  for (const projectId of ids.projectIds) {
    const former = await findFormerWallet(tx, projectId, familyId)
    if (former === undefined || former === walletId) await upsertLink(tx, { projectId, familyId, walletId })
  }
}

/**
 * Unlinks a wallet from a project: customers keep their addresses, new ones get none of the family. Withdraws the change that
 * would link it later. @throws WALLET_NOT_FOUND
 */
export async function unlinkWallet(ctx: Context, projectId: number, walletId: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockLinks(tx, [projectId])
    const unlinked = await deleteLink(tx, projectId, walletId)
    const withdrawn = await deletePendingLinks(tx, walletId, projectId)
    if (unlinked.length + withdrawn.length === 0) fail('WALLET_NOT_FOUND')
    const changes = { families: unlinked.map(familyName), withdrawn: withdrawn.map(familyName) }
    tx.change({ walletID: walletId, ...changes }, null, { projectId })
    await announce(tx, walletId, projectId)
  })
}

/**
 * Lets the changes take effect whose time has come. Each is one transaction, which ends the waiting change and links the wallet:
 * safe to repeat, and to run twice at once.
 */
export async function applyDueLinks(ctx: Context): Promise<void> {
  for (const due of await listDueLinks(ctx)) await inTransaction(ctx, (tx) => applyDueLink(tx, due))
}

async function applyDueLink(tx: Context, due: PendingLinkRow): Promise<void> {
  const { project_id: projectId, family_id: familyId, wallet_id: walletId } = due
  await lockWallet(tx, walletId)
  await lockLinks(tx, [projectId])
  if (!(await deleteDueLink(tx, { projectId, familyId, walletId }))) return
  // A wallet that was deactivated meanwhile gives out no addresses: the project keeps the one it has.
  if ((await findWalletRow(tx, walletId))?.status !== 'active') return
  await upsertLink(tx, { projectId, familyId, walletId })
  await announce(tx, walletId, projectId)
}

function operatorOf({ caller }: Context): number | null {
  return caller.kind === 'operator' ? caller.operatorId : null
}

function familyName(id: number): string {
  return FAMILIES.find((one) => one.id === id)?.family ?? ''
}

async function announce(tx: Context, walletId: number, projectId: number): Promise<void> {
  await tx.events.emit(tx, { type: 'wallet.changed', projectId, payload: { wallet_id: walletId } })
}
