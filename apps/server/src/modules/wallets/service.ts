// Wallets hold the merchant's money. These are deposit wallets: from an extended public key, or a contract of the merchant,
// every customer gets one permanent address per chain family. The server holds no key that could spend from them.
import { InvalidInput } from '@kassa/chains/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { NewDepositWallet } from '@kassa/contract/wallets/schemas.ts'
import { type Family, findFamily } from '@kassa/primitives/chains/families.ts'
import { type Context, inTransaction, type ProjectScope } from '../../context.ts'
import { versioned } from '../../db/versioned.ts'
import { adapterOf } from '../blockchains/chains/service.ts'
import { getProject, listProjects } from '../projects/service.ts'
import { linkFirst } from './linking/service.ts'
import { findLink, lockLinks } from './linking/store.ts'
import { macOf, requireGenuine } from './sources/authenticity.ts'
import { addList, type CheckedList, checkList } from './address-lists.ts'
import { requestMoreAddresses, deriveMore, fillPoolJob } from './pool.ts'
import { findNewestWallet, insertXpub, skipIndexes } from './sources/store.ts'
import {
  type AssignedAddress,
  countOpen,
  findAddressFacts,
  listAddressesByKeys,
  listAddressesOfCustomer,
  listKeysAbove,
  listProjectWallets as listProjectWalletRows,
  lockAssignment,
  moveAddressToCustomer,
  type ProjectWallet,
  type StoredAddress,
  withholdOpen,
} from './store.ts'
import { findWalletRow, insertDefaults, insertWallet, type WalletRow } from './wallet/store.ts'

export { genuineSource, isForged, refuseForged, requireGenuine, rowMac } from './sources/authenticity.ts'
export { addListedAddresses, familiesWithoutAddresses } from './address-lists.ts'
export { addContractWallet } from './contract-wallets.ts'
export { showWallet, visibleWallet } from './list-wallets.ts'
export type { AssignedAddress } from './store.ts'
export type { ProjectWallet } from './store.ts'

/** An address of one of our wallets; `key` is what chain evidence is matched with. */
export type AddressRow = {
  readonly id: bigint
  readonly walletId: number
  readonly familyId: number
  readonly key: Buffer
  readonly address: string
  readonly path: string
  readonly customerId: number | null
  readonly projectId: number | null
}

/**
 * Adds a deposit wallet from extended public keys and address lists, and links it to the named project if that has none yet.
 * @throws FAMILY_UNSUPPORTED, XPUB_INVALID, XPUB_IS_PRIVATE, XPUB_EXISTS, PROJECT_NOT_FOUND, ADDRESS_INVALID, ADDRESS_IS_OURS
 */
export async function addDepositWallet(ctx: Context, input: NewDepositWallet): Promise<WalletRow> {
  if (input.xpubs.length === 0 && !input.lists?.length) {
    return fail('VALIDATION_FAILED', { fields: { xpubs: 'Extended public key is required' } })
  }
  const sources = input.xpubs.map((one) => checkXpub(ctx, one))
  const lists = (input.lists ?? []).map((list) => checkList(ctx, list))
  return inTransaction(ctx, async (tx) => {
    if (input.projectID !== undefined) await getProject(tx, input.projectID)
    const projectIds = input.projectID === undefined ? [] : [input.projectID]
    return insertDepositWallet(tx, { name: input.name, sources, lists, projectIds })
  })
}

/**
 * Adds a deposit wallet of one family and links it to every project of the caller that has none of the family, as older
 * installers expect.
 * @throws FAMILY_UNSUPPORTED, XPUB_INVALID, XPUB_IS_PRIVATE, XPUB_EXISTS
 */
export async function addXpubForAll(
  ctx: Context,
  { projectIds }: ProjectScope,
  input: { readonly family: string; readonly xpub: string; readonly name?: string | undefined },
): Promise<WalletRow> {
  const source = checkXpub(ctx, input)
  return inTransaction(ctx, async (tx) => {
    const projects = await listProjects(tx, projectIds)
    return insertDepositWallet(tx, {
      name: input.name || `${source.family.family} wallet`,
      sources: [source],
      projectIds: projects.filter(({ status }) => status === 'active').map(({ id }) => id),
    })
  })
}

/**
 * Derives addresses of a family ahead, in the newest wallet that can; returns how many its pool holds now.
 * @throws FAMILY_UNSUPPORTED, WALLET_NOT_FOUND
 */
export async function growPool(
  ctx: Context,
  input: { readonly family: string; readonly count: number },
): Promise<number> {
  const { id: familyId } = supportedFamily(input.family)
  const wallet = (await findNewestWallet(ctx, familyId)) ?? fail('WALLET_NOT_FOUND')
  await fillPoolJob.send(ctx, { walletId: wallet.id, familyId, atLeast: input.count })
  return countOpen(ctx, wallet.id, familyId)
}

/**
 * Returns the customer's permanent address of the family and assigns it on the first call. Derives one when the pool is
 * empty, so that no checkout waits for it.
 * @throws NO_DEPOSIT_ADDRESS when the project has no active deposit wallet of the family
 * @throws SERVICE_UNAVAILABLE when the address does not belong to its wallet
 */
export async function assignAddress(
  ctx: Context,
  { projectId, customerId, familyId }: { projectId: number; customerId: number; familyId: number },
): Promise<AddressRow> {
  const known = (await addressesOfCustomer(ctx, customerId)).find((row) => row.familyId === familyId)
  if (known) return known
  return inTransaction(ctx, async (tx) => {
    await lockAssignment(tx, customerId)
    const raced = (await addressesOfCustomer(tx, customerId)).find((row) => row.familyId === familyId)
    if (raced) return raced
    const link = (await findLink(tx, projectId, familyId)) ?? fail('NO_DEPOSIT_ADDRESS')
    const wallet = await findWalletRow(tx, link.wallet_id)
    if (wallet?.status !== 'active') return fail('NO_DEPOSIT_ADDRESS')
    const ask = { walletId: wallet.id, familyId, customerId, projectId }
    const assigned = (await moveAddressToCustomer(tx, ask)) ?? (await deriveAndAssign(tx, ask))
    await requireGenuine(tx, assigned)
    await requestMoreAddresses(tx, ask, assigned.derivation_index)
    return addressRow(assigned)
  })
}

const walletsOf = versioned(listProjectWalletRows)

/** The active deposit wallets of a project, by family. */
export function listProjectWallets(ctx: Context, projectId: number): Promise<readonly ProjectWallet[]> {
  return walletsOf(ctx, projectId)
}

/** Addresses of a customer, one per family. @throws SERVICE_UNAVAILABLE when one does not belong to its wallet */
export async function addressesOfCustomer(ctx: Context, customerId: number): Promise<AddressRow[]> {
  const rows = await listAddressesOfCustomer(ctx, customerId)
  for (const row of rows) await requireGenuine(ctx, row)
  return rows.map(addressRow)
}

/** Finds an address with its public facts. @throws SERVICE_UNAVAILABLE when it does not belong to its wallet */
export async function findAssignedAddress(ctx: Context, id: bigint): Promise<AssignedAddress> {
  const { index, ...facts } = await findAddressFacts(ctx, id)
  const { address, familyId, wallet } = facts
  await requireGenuine(ctx, { wallet_id: wallet.id, family_id: familyId, derivation_index: index, address })
  return facts
}

/** Indexes to skip: more customers than any shop gets between two backups. Indexes cost nothing (BIP 32 has 2³¹ of them). */
const SKIPPED_INDEXES = 100_000

/**
 * Withholds the unassigned addresses of a restored database: since the backup they may have been given to payers whom the
 * database does not know. They stay watched, and no other customer gets them. Call it once, in the transaction of the restore.
 */
export async function withholdOpenAddresses(ctx: Context): Promise<void> {
  await withholdOpen(ctx)
  await skipIndexes(ctx, SKIPPED_INDEXES)
}

/** Our addresses among these keys. */
export async function addressesByKeys(ctx: Context, familyId: number, keys: readonly Buffer[]): Promise<AddressRow[]> {
  return (await listAddressesByKeys(ctx, familyId, keys)).map(addressRow)
}

/** Lists keys of addresses of a family above an id, ascending, for watchers to follow; ids of a family commit in order. */
export async function addressKeysAbove(
  ctx: Context,
  familyId: number,
  afterId: bigint,
  limit: number,
): Promise<{ id: bigint; key: Buffer }[]> {
  return listKeysAbove(ctx, familyId, afterId, limit)
}

type Assignment = { walletId: number; familyId: number; customerId: number; projectId: number }

async function deriveAndAssign(ctx: Context, ask: Assignment): Promise<StoredAddress> {
  await deriveMore(ctx, ask, 1)
  return (await moveAddressToCustomer(ctx, ask)) ?? fail('NO_DEPOSIT_ADDRESS')
}

type XpubSource = ReturnType<typeof checkXpub>

async function insertDepositWallet(
  tx: Context,
  {
    name,
    sources,
    lists = [],
    projectIds,
  }: {
    readonly name: string
    readonly sources: readonly XpubSource[]
    readonly lists?: readonly CheckedList[]
    readonly projectIds: readonly number[]
  },
): Promise<WalletRow> {
  const wallet = await insertWallet(tx, {
    name,
    wallet_type: 'deposit_wallet',
    wallet_sub_type: 'eoa',
    secret_type: sources.length > 0 ? 'xpub' : 'none',
    created_by: tx.caller.kind === 'operator' ? tx.caller.operatorId : null,
  })
  const keys = sources.map(({ family, source }) => ({ family: family.family, fingerprint: source.fingerprint }))
  tx.change(null, { walletID: wallet.id, name, keys, projectIds })
  await lockLinks(tx, projectIds)
  for (const { family, source } of sources) {
    const { xpub, fingerprint, path } = source
    const row = { wallet_id: wallet.id, family_id: family.id, xpub, fingerprint, path }
    const isNew = await insertXpub(tx, { ...row, mac: macOf(tx, row) })
    if (!isNew)
      return fail('XPUB_EXISTS', { details: `The key ${fingerprint} belongs to another wallet of this install.` })
    await insertDefaults(tx, { familyId: family.id, roles: ['deposit'], walletId: wallet.id })
    await fillPoolJob.send(tx, { walletId: wallet.id, familyId: family.id })
    await linkFirst(tx, { projectIds, familyId: family.id, walletId: wallet.id })
  }
  for (const list of lists) {
    await addList(tx, wallet.id, list)
    await insertDefaults(tx, { familyId: list.familyId, roles: ['deposit'], walletId: wallet.id })
    await linkFirst(tx, { projectIds, familyId: list.familyId, walletId: wallet.id })
  }
  for (const projectId of projectIds.length > 0 ? projectIds : [null]) await announce(tx, wallet.id, projectId)
  return wallet
}

/** A family whose addresses can be derived. @throws FAMILY_UNSUPPORTED */
function supportedFamily(name: string): Family {
  const family = findFamily(name) ?? fail('FAMILY_UNSUPPORTED')
  if (adapterOf(family.family)?.deposits) return family
  return fail('FAMILY_UNSUPPORTED', { details: 'Addresses of this family come in lists: send addresses.' })
}

function checkXpub({ config }: Context, input: NewDepositWallet['xpubs'][number]) {
  const family = supportedFamily(input.family)
  const { deposits } = adapterOf(family.family) ?? fail('FAMILY_UNSUPPORTED')
  if (!deposits) return fail('FAMILY_UNSUPPORTED')
  try {
    return { family, source: deposits.check(input.path === undefined ? input.xpub : input, config.network) }
  } catch (thrown) {
    if (thrown instanceof InvalidInput && thrown.code !== 'ADDRESS_INVALID') {
      return fail(thrown.code, { details: thrown.message, fields: { xpub: thrown.message } })
    }
    throw thrown
  }
}

async function announce(ctx: Context, walletId: number, projectId: number | null): Promise<void> {
  await ctx.events.emit(ctx, { type: 'wallet.changed', projectId, payload: { wallet_id: walletId } })
}

function addressRow(row: StoredAddress): AddressRow {
  return {
    id: row.id,
    walletId: row.wallet_id,
    familyId: row.family_id,
    key: row.key,
    address: row.address,
    path: row.path,
    customerId: row.customer_id,
    projectId: row.project_id,
  }
}
