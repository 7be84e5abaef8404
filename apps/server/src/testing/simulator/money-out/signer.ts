/** The machine of a person who signs what addresses with keys of their own are asked for. */
import { chainOf } from '@kassa/chains/testing/anvil-chain.ts'
import { EVERYTHING, hexOf } from '@kassa/keys/evm/permission.ts'
import { readPermission, signatureJson } from '@kassa/keys/evm/permission-json.ts'
import { signPermission } from '@kassa/keys/evm/permission-signing.ts'
import { readTronPermission, signTronPermission } from '@kassa/keys/tron/permission.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { sql } from 'kysely'

import { type Context, inTransaction } from '../../../context.ts'
import { jobOf } from '../../../modules/sweep-permissions/asking/signing-job.ts'
import { checkPosting, storePosting } from '../../../modules/sweep-permissions/asking/take-signatures.ts'
import { accountOf } from '../accounts.ts'
import type { World } from '../world.ts'
import { KEY_SHOP, vaultOf } from './vaults.ts'

/** Signs a batch on a machine of its own, and hands in what it signed, sometimes again. */
export async function sign({ random }: World, ctx: Context): Promise<void> {
  const { rows } = await sql<{ id: string; blockchain: string; currency: string }>`
    SELECT batch.id::text AS id, asset.currency_code AS currency, blockchain.code AS blockchain FROM sweep_batches AS batch
    JOIN assets AS asset ON asset.id = batch.asset_id JOIN blockchains AS blockchain ON blockchain.id = batch.blockchain_id
    ORDER BY batch.id DESC LIMIT 2`.execute(ctx.db)
  const batch = random.any(rows)
  if (!batch) return
  const names = { b: batch.blockchain, c: batch.currency }
  const job = await jobOf(ctx, names, [KEY_SHOP.projectId], { batchID: batch.id })
  const signatures = job.data.flatMap(({ approval }) =>
    approval ? [signItem(names.b, approval, job.currencyAddress)] : [],
  )
  if (signatures.length === 0) return
  const checked = await checkPosting(ctx, names, { batchID: batch.id, signatures: signatures as never })
  await inTransaction(ctx, (tx) => storePosting(tx, checked))
  if (random.chance(0.3)) await inTransaction(ctx, (tx) => storePosting(tx, checked))
}

type Item = NonNullable<Awaited<ReturnType<typeof jobOf>>['data'][number]['approval']>

function signItem(code: string, item: Item, token: string | null): object {
  return { addressID: item.addressID, ...(code === 'TRX' ? signOnTron(item, token) : signOnEthereum(item, token)) }
}

function signOnEthereum(item: Item, token: string | null): object {
  const permission = readPermission(item)
  if (!permission) throw new Error('It cannot be signed')
  const { chainId } = chainOf('ETH', 'sandbox').network
  const signed = signPermission(permission, destinationOf('ETH_Family', chainId, token), keyOf(item, 'ETH_Family'))
  return signatureJson(permission, signed)
}

function signOnTron(item: Item, token: string | null): object {
  const permission = readTronPermission(item)
  if (!permission) throw new Error('It cannot be signed')
  const destination = destinationOf('TRX_Family', trx.networks.sandbox.chainId, token)
  return { signedTransaction: hexOf(signTronPermission(permission, destination, keyOf(item, 'TRX_Family'))) }
}

type Accounts = 'ETH_Family' | 'TRX_Family'

function destinationOf(family: Accounts, chainId: number | undefined, token: string | null) {
  const { address: vault, collector } = vaultOf(family)
  return { chainId: BigInt(chainId ?? 0), token, vault, collector, mostFee: EVERYTHING }
}

function keyOf({ path }: Item, family: Accounts): Uint8Array {
  const leaf = accountOf(KEY_SHOP.name, family)
    .deriveChild(0)
    .deriveChild(Number(path?.split('/').at(-1))).privateKey
  if (!leaf) throw new Error('There is no key')
  return leaf
}
