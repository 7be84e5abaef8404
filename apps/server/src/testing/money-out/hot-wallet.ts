import { sql } from 'kysely'
import { type Hex, numberToHex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

import type { AnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'

import type { Context } from '../../context.ts'
import { post } from '../../modules/ledger/service.ts'
import { seal } from '../../modules/vaults/service.ts'

/** A hot wallet of the ETH family with coins on a local chain, which its ledger knows as float. */
export type TestHotWallet = {
  readonly walletId: number
  readonly address: Hex
  readonly account: ReturnType<typeof privateKeyToAccount>
}

let wallets = 0

/** Adds a hot wallet without a balance. */
export async function hotWallet(ctx: Context): Promise<TestHotWallet> {
  wallets += 1
  const key = Buffer.alloc(32, `hot wallet ${wallets}`)
  const account = privateKeyToAccount(`0x${key.toString('hex')}`)
  const secretId = await seal(ctx, { kind: 'hot_key', label: 'Hot wallet', value: key })
  const { rows } = await sql<{ id: number }>`
    INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type)
    VALUES (${`Hot ${wallets}`}, 'hot_wallet', 'eoa', 'private_key') RETURNING id`.execute(ctx.db)
  const walletId = rows[0]?.id ?? 0
  await sql`
    INSERT INTO hot_keys (wallet_id, family_id, key, address, secret_id, float_limit_usd)
    VALUES (${walletId}, 1, ${Buffer.from(account.address.slice(2), 'hex')}, ${account.address}, ${secretId}, 500)`.execute(
    ctx.db,
  )
  return { walletId, address: account.address, account }
}

const [ETH, USDC] = [1, 7]

/** Gives a wallet ten ETH and 1,000 USDC on the chain, and books them as float. */
export async function fillHotWallet(
  ctx: Context,
  anvil: AnvilChain,
  { walletId, address }: TestHotWallet,
): Promise<void> {
  await anvil.call('anvil_setBalance', address, numberToHex(parseEther('10')))
  await anvil.transfer(SANDBOX_TOKENS.usdc, address, 1_000_000_000n)
  await bookFloat(ctx, walletId, { [ETH]: parseEther('10'), [USDC]: 1_000_000_000n })
}

/** Books units of assets as float of a wallet. */
export async function bookFloat(
  ctx: Context,
  walletId: number,
  floats: Readonly<Record<number, bigint>>,
): Promise<void> {
  const owner = `wallet:${walletId}` as const
  const lines = Object.entries(floats).map(([asset, units]) => ({
    debit: { kind: 'chain:hot' as const, owner, unitId: Number(asset) },
    credit: { kind: 'owner:funding' as const, owner, unitId: Number(asset) },
    units,
  }))
  const source = `test-movement:${walletId}:fund:${Object.values(floats).join('-')}`
  await post(ctx, [{ posting: 'hot.funded', source, projectId: null, at: null, lines }])
}
