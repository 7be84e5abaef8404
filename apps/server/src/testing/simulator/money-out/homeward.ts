import { createHash } from 'node:crypto'

import { chainIn } from '@kassa/chains/chain.ts'
import { evmVaults } from '@kassa/chains/evm/vaults/vaults.ts'
import { addressText } from '@kassa/chains/tron/addresses/addresses.ts'
import { tronVaults } from '@kassa/chains/tron/vaults/vaults.ts'
import { chainOf } from '@kassa/chains/testing/anvil-chain.ts'
import type { FakeVault } from '@kassa/chains/testing/fake-chain/vault.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { readPermission, signatureJson } from '@kassa/keys/evm/permission-json.ts'
import { signPermission } from '@kassa/keys/evm/permission-signing.ts'
import { EVERYTHING } from '@kassa/keys/evm/permission.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { type ChainFamily, findFamily } from '@kassa/primitives/chains/families.ts'
import { sql } from 'kysely'

import { asSystem, type Context, inTransaction } from '../../../context.ts'
import { findBlockchain } from '../../../modules/blockchains/chains/service.ts'
import { registerApprovalContract, registerContractWallet } from '../../../modules/sweep-contracts/register.ts'
import { prepareBatch, storeBatch } from '../../../modules/sweep-permissions/asking/request-approvals.ts'
import { jobOf } from '../../../modules/sweep-permissions/asking/signing-job.ts'
import { checkPosting, storePosting } from '../../../modules/sweep-permissions/asking/take-signatures.ts'
import { planQuestion } from '../../../modules/sweeps/lists/plan-view.ts'
import {
  assetByHand,
  cancelByHand,
  initiatePrepared,
  prepareSweep,
  startPlan,
  storePlan,
} from '../../../modules/sweeps/starting/service.ts'
import { deriveMore } from '../../../modules/wallets/pool.ts'
import { linkWallets } from '../../../modules/wallets/service.ts'
import { accountOf } from '../accounts.ts'
import type { Process } from '../scheduler.ts'
import { contextOf, waitInTrouble, type World } from '../world.ts'

/** The shop whose addresses belong to a contract, and the one whose addresses have keys of their own. */
const CONTRACT_SHOP = 1
const KEY_SHOP = { projectId: 2, name: 'Many' } as const

const EVM_CODES = ['ETH', 'BASE'] as const
/** Addresses derived ahead: customers of a world are few. */
const POOL = 16

const SALT = `0x${'00'.repeat(31)}07`
const [OWNER, COLLECTOR] = ['owner', 'cold wallet'].map(named) as [string, string]

/** The one vault of every world, at the same address on all of its chains of Ethereum's kind. */
const VAULT: FakeVault = {
  address: evmVaults.vault(chainOf('ETH', 'sandbox'), { owner: OWNER, salt: SALT }),
  owner: OWNER,
  collector: COLLECTOR,
}

const TRON_OWNERS = { owner: tronOf(OWNER), collector: tronOf(COLLECTOR) }

/** The one on TRON. */
const TRON_VAULT: FakeVault = {
  ...TRON_OWNERS,
  address: tronVaults.vault(chainIn('sandbox', trx), { owner: TRON_OWNERS.owner, salt: SALT }),
}

/** The vault on chains of a family. */
export function vaultOf(family: ChainFamily): FakeVault {
  return family === 'TRX_Family' ? TRON_VAULT : VAULT
}

function tronOf(address: string): string {
  return addressText(Buffer.from(address.slice(2), 'hex'))
}

function named(name: string): string {
  return checksumAddress(createHash('sha256').update(name).digest().subarray(0, 20))
}

/** Registers the vaults: one shop's customers get deposit contracts of them, the other's addresses may approve that of Ethereum's kind. */
export async function openVaults(ctx: Context, codes: readonly string[]): Promise<void> {
  await openVault(ctx, 'ETH_Family', EVM_CODES)
  if (codes.includes('TRX')) await openVault(ctx, 'TRX_Family', ['TRX'])
}

async function openVault(ctx: Context, family: ChainFamily, codes: readonly string[]): Promise<void> {
  const vault = vaultOf(family)
  const { owner, collector } = vault
  let walletID: number | undefined
  for (const code of codes) {
    const blockchain = await findBlockchain(ctx, code)
    if (!blockchain) throw new Error(`There is no ${code}`)
    const digits = createHash('sha256').update(`vault on ${code}`).digest('hex')
    const created = {
      ...({ state: 'created', height: 1, vault: vault.address, salt: SALT, creator: owner, blockchain } as const),
      txId: family === 'ETH_Family' ? `0x${digits}` : digits,
      now: { owner, collector, proposed: null, proposedOwner: null, isFrozen: false },
    }
    walletID = (
      await inTransaction(ctx, (tx) =>
        registerContractWallet(tx, created, {
          name: `Contract of ${family}`,
          walletID,
          transactionHash: created.txId,
          projectId: CONTRACT_SHOP,
        }),
      )
    ).id
    if (family !== 'ETH_Family') continue
    const claim = { address: vault.address, fundCollectorAddress: collector, name: 'Approvals' }
    await inTransaction(ctx, (tx) => registerApprovalContract(tx, created, claim))
  }
  const walletId = walletID ?? 0
  const familyId = findFamily(family)?.id ?? 0
  await linkWallets(ctx, CONTRACT_SHOP, { wallets: [{ walletID: walletId, blockchainFamily: family }] })
  await inTransaction(ctx, (tx) => deriveMore(tx, { walletId, familyId }, POOL))
}

/** What is brought home by hand. */
const ASKED = [
  { blockchainCode: 'ETH', currencyCode: 'USDC' },
  { blockchainCode: 'ETH', currencyCode: 'USDT' },
  { blockchainCode: 'ETH', currencyCode: 'ETH' },
  { blockchainCode: 'BASE', currencyCode: 'USDC' },
  { blockchainCode: 'BASE', currencyCode: 'ETH' },
  { blockchainCode: 'TRX', currencyCode: 'TRX' },
  { blockchainCode: 'TRX', currencyCode: 'USDT' },
] as const

function askedIn({ random, chains }: World): (typeof ASKED)[number] {
  return random.pick(ASKED.filter(({ blockchainCode }) => chains.some(({ code }) => code === blockchainCode)))
}

const TOKENS = ['USDC', 'USDT'] as const

/** Lets no sweep start by itself any more. */
export async function switchOff({ database }: World): Promise<void> {
  await database.query(
    `INSERT INTO configuration (key, value) VALUES ('sweeps.automatic', 'off')
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )
}

/** People who bring money home by hand: they plan, start and give up sweeps, ask for approvals and sign them. */
export async function gatherer(world: World, process: Process): Promise<void> {
  const ctx = asSystem(contextOf(world, process))
  while (!process.isDead) {
    await world.scheduler.sleep(waitInTrouble(world, [4_000, 60_000]), process.signal)
    if (world.phase !== 'trouble') continue
    const act = world.random.pick([start, start, initiate, cancel, ask, sign, sign])
    await act(world, ctx).catch((error: unknown) => {
      const why = error instanceof ApiError ? error.code : error instanceof Error ? error.message : String(error)
      world.scheduler.note(`the gatherer was refused: ${why}`)
    })
  }
}

async function start(world: World, ctx: Context): Promise<void> {
  const { random } = world
  const { asset, plan } = await planQuestion(ctx, 'every', askedIn(world))
  const { planId } = await storePlan(ctx, asset, plan)
  await startPlan(ctx, planId, new Map())
  // Somebody clicks twice.
  if (random.chance(0.2)) await startPlan(ctx, planId, new Map())
}

/** Chosen addresses, whose permission may have been given a moment ago. */
async function initiate({ random }: World, ctx: Context): Promise<void> {
  const asset = await assetByHand(ctx, { b: 'ETH', c: random.pick(TOKENS) })
  const { rows } = await sql<{ id: number }>`
    SELECT address_id::int AS id FROM sweep_permissions WHERE asset_id = ${asset.id} AND state IN ('approved', 'used')
    ORDER BY id DESC LIMIT 3`.execute(ctx.db)
  if (rows.length === 0) return
  const addressIds = [...new Set(rows.map(({ id }) => id))]
  const prepared = await prepareSweep(ctx, { asset, addressIds, contractAddressId: null })
  await initiatePrepared(ctx, asset, prepared, { execute: true })
}

async function cancel(world: World, ctx: Context): Promise<void> {
  const { random } = world
  const { blockchainCode: b, currencyCode: c } = askedIn(world)
  const asset = await assetByHand(ctx, { b, c })
  const { rows } = await sql<{ id: number }>`
    SELECT id::int AS id FROM sweeps WHERE asset_id = ${asset.id} AND status = 'planned' ORDER BY id`.execute(ctx.db)
  const row = random.any(rows)
  if (row) await cancelByHand(ctx, asset, { sweepId: row.id, addressIds: null })
}

async function ask({ random }: World, ctx: Context): Promise<void> {
  const names = { b: 'ETH', c: random.pick(TOKENS) }
  const prepared = await prepareBatch(ctx, names, [KEY_SHOP.projectId], {})
  await inTransaction(ctx, (tx) => storeBatch(tx, prepared))
}

/** Signs a batch on a machine of its own, and hands in what it signed, sometimes again. */
async function sign({ random }: World, ctx: Context): Promise<void> {
  const { rows } = await sql<{ id: string; currency: string }>`
    SELECT batch.id::text AS id, asset.currency_code AS currency FROM sweep_batches AS batch
    JOIN assets AS asset ON asset.id = batch.asset_id ORDER BY batch.id DESC LIMIT 2`.execute(ctx.db)
  const batch = random.any(rows)
  if (!batch) return
  const names = { b: 'ETH', c: batch.currency }
  const job = await jobOf(ctx, names, [KEY_SHOP.projectId], { batchID: batch.id })
  const signatures = job.data.flatMap(({ approval }) => (approval ? [signItem(approval, job.currencyAddress)] : []))
  if (signatures.length === 0) return
  const checked = await checkPosting(ctx, names, { batchID: batch.id, signatures: signatures as never })
  await inTransaction(ctx, (tx) => storePosting(tx, checked))
  if (random.chance(0.3)) await inTransaction(ctx, (tx) => storePosting(tx, checked))
}

type Item = NonNullable<Awaited<ReturnType<typeof jobOf>>['data'][number]['approval']>

function signItem(item: Item, token: string | null): object {
  const permission = readPermission(item)
  const leaf = accountOf(KEY_SHOP.name)
    .deriveChild(0)
    .deriveChild(Number(item.path?.split('/').at(-1))).privateKey
  if (!permission || !leaf) throw new Error('It cannot be signed')
  const { chainId } = chainOf('ETH', 'sandbox').network
  const destination = {
    ...{ chainId: BigInt(chainId ?? 0), token, vault: VAULT.address, collector: COLLECTOR, mostFee: EVERYTHING },
  }
  return { addressID: item.addressID, ...signatureJson(permission, signPermission(permission, destination, leaf)) }
}
