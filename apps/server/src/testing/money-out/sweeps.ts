/** A shop whose deposit addresses a contract commands, on a local chain, with everything that a sweep needs. */
import { randomBytes } from 'node:crypto'

import { evmVaults } from '@kassa/chains/evm/vaults/vaults.ts'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import { contractWalletsRoutes } from '@kassa/contract/wallets/contract-routes.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { encodeFunctionData, erc20Abi, type Hex, numberToHex, parseEther } from 'viem'

import { INVARIANTS } from '../../app.ts'
import { asSystem } from '../../context.ts'
import { setSandboxNode } from '../../modules/blockchains/nodes/service.ts'
import { verify } from '../../modules/ledger/service.ts'
import { checkLedger } from '../../modules/reconciliation/service.ts'
import { newMemory } from '../../modules/sends/following/following.ts'
import { followSends } from '../../modules/sends/following/follow-sends.ts'
import { signPlanned } from '../../modules/sweeps/signing/service.ts'
import { addHotWallet, findHotWallet } from '../../modules/wallets/hot/service.ts'
import { type TestApp, testApp } from '../app.ts'
import { testReader } from '../test-follower.ts'
import { createVault } from '../vaults.ts'

const [CHAIN, ETH, USDC] = [1, 1, 7]
/** The factory of ETH among the contracts of the release. */
const FACTORY = 11

export type SweepShop = Awaited<ReturnType<typeof sweepShop>>
export type Payee = { readonly id: bigint; readonly address: Hex; readonly salt: number }

/** Opens the shop with an app and a chain of its own. */
export async function openSweepShop(): Promise<OpenSweepShop> {
  const [app, anvil] = await Promise.all([testApp(), openAnvilChain()])
  const shop = await sweepShop(app, anvil, await app.signUp())
  const stop = async () => {
    await app.stop()
    await anvil.stop()
  }
  return { app, anvil, shop, stop }
}

export type OpenSweepShop = {
  readonly app: TestApp
  readonly anvil: AnvilChain
  readonly shop: SweepShop
  readonly stop: () => Promise<void>
}

/** Opens the shop: project, contract wallet, gas wallet with two ether, and a reader that a test drives. */
async function sweepShop(app: TestApp, anvil: AnvilChain, key: string) {
  const ctx = asSystem(app.ctx)
  await setSandboxNode(ctx, 'ETH', anvil.node.label)
  const projectId = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
  const [owner, collector] = [0, 1].map(() => checksumAddress(randomBytes(20)) as Hex) as [Hex, Hex]
  const created = await createVault(anvil, { owner, collector })
  const added = await app.call(
    contractWalletsRoutes.addContractWallet,
    { params: { id: FACTORY }, body: { transactionHash: created.txId, name: 'Main' } },
    { key },
  )
  const walletId = added.body.id
  await addHotWallet(ctx, { family: 'ETH_Family', name: 'Gas', generate: true, functions: ['gas'] })
  const hot = await findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'gas' })
  if (!hot) throw new Error('There is no gas wallet')
  const reader = await testReader(ctx, 'ETH')
  await reader.catchUp()
  const { vault } = created
  let salts = 0

  /** Mines two blocks, so that what was seen is final, and reads them. */
  const settle = async () => {
    await anvil.mine(2)
    await reader.catchUp()
  }
  /** A customer with a deposit address of the wallet. */
  const payee = async (): Promise<Payee> => {
    salts += 1
    const address = evmVaults.deposit(anvil.session.chain, vault, salts) as Hex
    const { rows } = await sql<{ id: bigint }>`
      WITH customer AS (
        INSERT INTO customers (project_id, customer_id) VALUES (${projectId}, ${randomBytes(8).toString('hex')}) RETURNING id
      )
      INSERT INTO addresses (wallet_id, family_id, key, address, derivation_index, path, status, customer_id, project_id)
      SELECT ${walletId}, 1, ${Buffer.from(address.slice(2), 'hex')}, ${address}, ${salts}, ${String(salts)}, 'assigned',
        customer.id, ${projectId} FROM customer
      ON CONFLICT (wallet_id, family_id, derivation_index) DO UPDATE
        SET status = 'assigned', customer_id = excluded.customer_id, project_id = excluded.project_id
      RETURNING id`.execute(ctx.db)
    return { id: rows[0]?.id ?? 0n, address, salt: salts }
  }
  const pay = (to: Payee, units: bigint, asset: 'USDC' | 'ETH' = 'USDC') =>
    asset === 'ETH'
      ? anvil.send({ to: to.address, value: units })
      : anvil.transfer(SANDBOX_TOKENS.usdc, to.address, units)
  const usdcOf = async (address: Hex) =>
    BigInt(
      (await anvil.call(
        'eth_call',
        {
          to: SANDBOX_TOKENS.usdc,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
        },
        'latest',
      )) as Hex,
    )
  const etherOf = async (address: Hex) => BigInt((await anvil.call('eth_getBalance', address, 'latest')) as Hex)
  const sign = () => signPlanned(ctx)
  /** Looks after what is signed once, as a process that has just started. */
  const follow = (as = ctx) => followSends(as, CHAIN, newMemory())
  /** Sends and follows until the chain has decided. */
  const finish = async () => {
    for (let round = 0; round < 3; round += 1) {
      await follow()
      await settle()
    }
    await follow()
  }
  const run = async () => {
    await sign()
    await finish()
  }
  const plan = async (currencyCode = 'USDC') => {
    await sql`DELETE FROM rate_buckets`.execute(ctx.db)
    return app.call(sweepsRoutes.planSweep, { body: { blockchainCode: 'ETH', currencyCode } }, { key })
  }
  const start = (planID: string) => app.call(sweepsRoutes.startSweep, { body: { planID } }, { key })
  const read = async (id: number) => (await app.call(sweepsRoutes.getSweep, { params: { id } }, { key })).body
  /** Plans and starts a sweep of everything; the id of its first transaction. */
  const begin = async (currencyCode = 'USDC') =>
    (await start((await plan(currencyCode)).body.planID)).body.sweeps[0]?.id ?? 0
  /** As many customers as there are amounts, each with so much on their address, final. */
  const paid = async (...amounts: bigint[]): Promise<Payee[]> => {
    const payees: Payee[] = []
    for (const units of amounts) {
      const one = await payee()
      await pay(one, units)
      payees.push(one)
    }
    await settle()
    return payees
  }
  /** Moves money from an address without its key: the chain lets a test do that. */
  const takeAway = async (from: Payee, units: bigint) => {
    await anvil.call('anvil_setBalance', from.address, numberToHex(parseEther('1')))
    await anvil.transfer(SANDBOX_TOKENS.usdc, checksumAddress(randomBytes(20)) as Hex, units, from.address)
    await anvil.call('anvil_setBalance', from.address, '0x0')
  }
  const transit = async () => {
    const { rows } = await sql<{ units: string }>`
      SELECT coalesce(sum(debits - credits), 0)::text AS units FROM accounts WHERE kind = 'chain:transit'`.execute(
      ctx.db,
    )
    return BigInt(rows[0]?.units ?? 0)
  }
  const account = async (kind: string, owner_: string, unitId: number = USDC) => {
    const { rows } = await sql<{ units: string }>`
      SELECT debits - credits AS units FROM accounts WHERE kind = ${kind} AND owner_key = ${owner_} AND unit_id = ${unitId}`.execute(
      ctx.db,
    )
    return BigInt(rows[0]?.units ?? 0)
  }
  const broken = () => verify(ctx, INVARIANTS)
  /** The breaches of the ledger and its differences from the chain; empty when there are none. */
  const unsound = async () => {
    const found = await checkLedger(ctx, INVARIANTS)
    return [...found.broken, ...found.drift.filter(({ ledger, chain }) => ledger !== chain)]
  }
  await anvil.send({ to: hot.address as Hex, value: parseEther('2') })
  await settle()
  return {
    ...{ ctx, key, projectId, walletId, vault, owner, collector, hot, reader },
    ...{ settle, payee, pay, paid, takeAway, usdcOf, etherOf, account, transit, broken, unsound },
    ...{ plan, start, begin, read, sign, follow, finish, run },
    assets: { ETH, USDC },
  }
}
