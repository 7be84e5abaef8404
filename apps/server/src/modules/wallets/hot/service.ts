// Hot wallets: the only keys that the server holds. Each pays network fees or payouts of one chain family and holds no more
// than the merchant can bear to lose. Its key is sealed in a vault from its first moment, and no route returns it.
import type { AddressCodec, PrivateKeyCodec } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { InvalidInput } from '@kassa/chains/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { DEFAULT_FLOAT_LIMIT, type HotPurpose, type NewHotWallet } from '@kassa/contract/wallets/hot-schemas.ts'
import { BLOCKCHAINS, findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { type Family, findFamily } from '@kassa/primitives/chains/families.ts'
import { type Context, inTransaction } from '../../../context.ts'
import type { Description } from '../../../http/handlers.ts'
import { adapterOf, listBlockchains } from '../../blockchains/chains/service.ts'
import { defaultVaultId, seal } from '../../vaults/service.ts'
import { addOwnAddress } from '../own-addresses/service.ts'
import { lockOwnership } from '../ownership/store.ts'
import { requireNotOurs } from '../ownership/service.ts'
import { insertDefaults, insertWallet, type WalletRow } from '../wallet/store.ts'
import { purposesOf } from './rules.ts'
import {
  findDefaultHotWallet,
  type FunctionRow,
  type HotKeyRow,
  type HotWallet,
  insertFunctions,
  insertHotKey,
  listFunctions,
  listHotKeys,
  listServedPurposes,
  listSignedAt,
  updateFloatLimit,
} from './store.ts'

export type { FunctionRow, HotKeyRow, HotWallet } from './store.ts'

export type HotFacts = {
  readonly keys: HotKeyRow[]
  readonly functions: FunctionRow[]
  /** By wallet. */
  readonly signedAt: ReadonlyMap<number, Date>
}

/** The facts of every hot wallet: its address, limit, purposes and last signature, never its key. */
export async function listHotFacts(ctx: Context): Promise<HotFacts> {
  return { keys: await listHotKeys(ctx), functions: await listFunctions(ctx), signedAt: await listSignedAt(ctx) }
}

/** The active wallet that pays on a blockchain, fees of sweeps (`gas`) or payouts; null when there is none. */
export async function findHotWallet(
  ctx: Context,
  { blockchainId, purpose }: { readonly blockchainId: number; readonly purpose: HotPurpose },
): Promise<HotWallet | null> {
  const family = findFamily(findBlockchain(blockchainId)?.family ?? '')
  return (family && (await findDefaultHotWallet(ctx, family.id, purpose))) ?? null
}

/** The address of a hot wallet. @throws WALLET_NOT_FOUND */
export async function hotAddress(ctx: Context, walletId: number): Promise<string> {
  const row = (await listHotKeys(ctx)).find((one) => one.wallet_id === walletId)
  return row?.address ?? fail('WALLET_NOT_FOUND')
}

/**
 * Sets what a hot wallet may hold, in US dollars, before its excess is shown; returns the earlier limit. @throws
 * WALLET_NOT_FOUND
 */
export async function setFloatLimit(ctx: Context, walletId: number, limit: string): Promise<string> {
  const row = (await listHotKeys(ctx)).find((one) => one.wallet_id === walletId) ?? fail('WALLET_NOT_FOUND')
  await updateFloatLimit(ctx, walletId, limit)
  return row.float_limit_usd
}

type Input = NewHotWallet & { readonly family: string }

/**
 * Adds a hot wallet whose key is generated here or imported, sealed in a vault. It becomes the default for its purposes where
 * there is none.
 * @throws FAMILY_UNSUPPORTED, PRIVATE_KEY_INVALID, ADDRESS_IS_OURS, VAULT_NOT_FOUND, VAULT_LOCKED
 */
export async function addHotWallet(ctx: Context, input: Input): Promise<WalletRow> {
  const { family, adapter } = keyFamily(input.family)
  const { codec } = adapter
  const privateKey = readKey(codec, input) ?? codec.generate()
  const { address, key } = addressOf(ctx, family, adapter, privateKey)
  const value = Buffer.from(privateKey.buffer, privateKey.byteOffset, privateKey.length)
  try {
    return await inTransaction(ctx, (tx) => insertHotWallet(tx, input, { family, address, key, value }))
  } finally {
    value.fill(0)
  }
}

type NewKey = {
  readonly family: Family
  readonly address: string
  readonly key: Buffer
  /** The private key. */
  readonly value: Buffer
}

async function insertHotWallet(tx: Context, input: Input, { family, address, key, value }: NewKey): Promise<WalletRow> {
  await requireNotOurs(tx, family, key)
  const purposes = purposesOf(input.functions, await listServedPurposes(tx, family.id))
  const wallet = await insertWallet(tx, {
    name: input.name,
    wallet_type: 'hot_wallet',
    wallet_sub_type: 'eoa',
    secret_type: 'private_key',
    created_by: tx.caller.kind === 'operator' ? tx.caller.operatorId : null,
  })
  const vaultId = input.vaultID ?? (await defaultVaultId(tx))
  const sealed = { kind: 'hot_key', label: `hot wallet ${address}`, value, vaultId }
  const limit = input.floatLimitInUSD ?? DEFAULT_FLOAT_LIMIT
  const row = { wallet_id: wallet.id, family_id: family.id, key, address, secret_id: await seal(tx, sealed) }
  const isNew = await insertHotKey(tx, { ...row, float_limit_usd: limit })
  if (!isNew) fail('ADDRESS_IS_OURS', { details: 'It is a hot wallet of this install.' })
  for (const blockchain of await listBlockchains(tx)) {
    if (blockchain.definition.family !== family.family) continue
    await addOwnAddress(tx, { blockchainId: blockchain.id, address, role: 'hot', walletId: wallet.id })
  }
  await insertFunctions(tx, wallet.id, purposes)
  await insertDefaults(tx, { familyId: family.id, roles: purposes, walletId: wallet.id })
  const facts = { family: family.family, address, purposes, floatLimitInUSD: limit, vaultID: vaultId }
  tx.change(null, { walletID: wallet.id, name: wallet.name, isImported: input.privateKey !== undefined, ...facts })
  await tx.events.emit(tx, { type: 'wallet.changed', projectId: null, payload: { wallet_id: wallet.id } })
  return wallet
}

/**
 * Says what adding a hot wallet will do; for an imported key it names the address.
 * @throws FAMILY_UNSUPPORTED, PRIVATE_KEY_INVALID
 */
export async function describeHotWallet(ctx: Context, input: Input): Promise<Description> {
  const { family, adapter } = keyFamily(input.family)
  await lockOwnership(ctx, family.id)
  const purposes = purposesOf(input.functions, await listServedPurposes(ctx, family.id))
  const limit = input.floatLimitInUSD ?? DEFAULT_FLOAT_LIMIT
  const privateKey = readKey(adapter.codec, input)
  const address = privateKey && addressOf(ctx, family, adapter, privateKey).address
  privateKey?.fill(0)
  const params = { family: family.family, wallet: input.name, purposes: wordOf(purposes), limit }
  const vaultId = input.vaultID ?? (await defaultVaultId(ctx))
  return {
    lines: [
      address === null
        ? { code: 'hot_wallet_created', params }
        : { code: 'hot_wallet_imported', params: { ...params, address } },
    ],
    happens: { family: family.family, name: input.name, address, purposes, limit, vaultId },
  }
}

function wordOf(purposes: readonly [HotPurpose, ...HotPurpose[]]): HotPurpose | 'both' {
  return purposes.length > 1 ? 'both' : purposes[0]
}

type KeyAdapter = { readonly codec: PrivateKeyCodec; readonly addresses: AddressCodec }

const KEYLESS =
  'This server holds no keys of this family. Pay from your own wallet; sweeps are signed on your own device.'

/** A family whose keys the server can hold. @throws FAMILY_UNSUPPORTED */
function keyFamily(name: string): { readonly family: Family; readonly adapter: KeyAdapter } {
  const family = findFamily(name) ?? fail('FAMILY_UNSUPPORTED')
  const adapter = adapterOf(family.family)
  if (!adapter?.privateKeys) return fail('FAMILY_UNSUPPORTED', { details: KEYLESS })
  return { family, adapter: { codec: adapter.privateKeys, addresses: adapter.addresses } }
}

/** Reads the imported key; null where the server generates one. @throws PRIVATE_KEY_INVALID */
function readKey(codec: PrivateKeyCodec, { privateKey }: NewHotWallet): Uint8Array | null {
  if (privateKey === undefined) return null
  try {
    return codec.parse(privateKey)
  } catch (thrown) {
    if (!(thrown instanceof InvalidInput)) throw thrown
    return fail('PRIVATE_KEY_INVALID', { details: thrown.message, fields: { privateKey: thrown.message } })
  }
}

/** The one address of a key on every blockchain of its family. */
function addressOf(ctx: Context, { family }: Family, { codec, addresses }: KeyAdapter, privateKey: Uint8Array) {
  const definition = BLOCKCHAINS.find((one) => one.family === family) ?? fail('FAMILY_UNSUPPORTED')
  const chain = chainIn(ctx.config.network, definition)
  const address = codec.address(chain, privateKey)
  return { address, key: Buffer.from(addresses.key(chain, address)) }
}
