import { createHash } from 'node:crypto'

import { evmVaults } from '@kassa/chains/evm/vaults/vaults.ts'
import { chainOf } from '@kassa/chains/testing/anvil-chain.ts'
import type { FakeVault } from '@kassa/chains/testing/fake-chain/vault.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { readPermission, signatureJson } from '@kassa/keys/evm/permission-json.ts'
import { signPermission } from '@kassa/keys/evm/permission-signing.ts'
import { EVERYTHING } from '@kassa/keys/evm/permission.ts'
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

const CODES = ['ETH', 'BASE'] as const
const FAMILY_ID = 1
/** Addresses derived ahead: customers of a world are few. */
const POOL = 16

const SALT = `0x${'00'.repeat(31)}07`
const [OWNER, COLLECTOR] = ['owner', 'cold wallet'].map(named) as [string, string]

/** The one vault of every world, at the same address on all of its chains. */
export const VAULT: FakeVault = {
  address: evmVaults.vault(chainOf('ETH', 'sandbox'), { owner: OWNER, salt: SALT }),
  owner: OWNER,
  collector: COLLECTOR,
}

function named(name: string): string {
  return checksumAddress(createHash('sha256').update(name).digest().subarray(0, 20))
}

/** Registers the vault: one shop's customers get deposit contracts of it, the other's addresses may approve it. */
export async function openVaults(ctx: Context): Promise<void> {
  let walletID: number | undefined
  for (const code of CODES) {
    const blockchain = await findBlockchain(ctx, code)
    if (!blockchain) throw new Error(`There is no ${code}`)
    const created = {
      ...({ state: 'created', height: 1, vault: VAULT.address, salt: SALT, creator: OWNER, blockchain } as const),
      txId: `0x${createHash('sha256').update(`vault on ${code}`).digest('hex')}`,
      now: { owner: OWNER, collector: COLLECTOR, proposed: null, proposedOwner: null, isFrozen: false },
    }
    walletID = (
      await inTransaction(ctx, (tx) =>
        registerContractWallet(tx, created, {
          name: 'Contract',
          walletID,
          transactionHash: created.txId,
          projectId: CONTRACT_SHOP,
        }),
      )
    ).id
    const claim = { address: VAULT.address, fundCollectorAddress: COLLECTOR, name: 'Approvals' }
    await inTransaction(ctx, (tx) => registerApprovalContract(tx, created, claim))
  }
  const walletId = walletID ?? 0
  await linkWallets(ctx, CONTRACT_SHOP, { wallets: [{ walletID: walletId, blockchainFamily: 'ETH_Family' }] })
  await inTransaction(ctx, (tx) => deriveMore(tx, { walletId, familyId: FAMILY_ID }, POOL))
}

const CURRENCIES = ['USDC', 'USDT', 'ETH'] as const
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

async function start({ random }: World, ctx: Context): Promise<void> {
  const question = { blockchainCode: random.pick(CODES), currencyCode: random.pick(CURRENCIES) }
  const { asset, plan } = await planQuestion(ctx, 'every', question)
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

async function cancel({ random }: World, ctx: Context): Promise<void> {
  const asset = await assetByHand(ctx, { b: 'ETH', c: random.pick(CURRENCIES) })
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
