import { evmVaults } from '@kassa/chains/evm/vaults/vaults.ts'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { contractWalletsRoutes } from '@kassa/contract/wallets/contract-routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { type Cashier, openCashier } from '../../testing/cashier.ts'
import { testReader, type TestReader } from '../../testing/test-follower.ts'
import { callVault, createVault } from '../../testing/vaults.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'

const OWNER: Hex = '0x1000000000000000000000000000000000000001'
const COLLECTOR: Hex = '0x2000000000000000000000000000000000000002'
const STRANGER: Hex = '0x3000000000000000000000000000000000000003'
const FACTORY_ON_ETH = 11
const { usdc } = SANDBOX_TOKENS

let app: TestApp
let anvil: AnvilChain
let cashier: Cashier
let reader: TestReader
let vault: Hex

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp(), openAnvilChain()])
  const key = await app.signUp()
  await setSandboxNode(asSystem(app.ctx), 'ETH', anvil.node.label)
  const projectId = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
  const p = String(projectId)
  const created = await createVault(anvil, { owner: OWNER, collector: COLLECTOR })
  vault = created.vault
  const wallet = { params: { id: FACTORY_ON_ETH, p }, body: { transactionHash: created.txId } }
  await app.call(contractWalletsRoutes.addContractWallet, wallet, { key, path: 1 })
  const apiKey = await app.call(apiKeysRoutes.createApiKey, { params: { p }, body: { name: 'Shop' } }, { key })
  cashier = openCashier(app, { projectId, p, apiKey: apiKey.body.key ?? '' })
  reader = await testReader(asSystem(app.ctx), 'ETH')
  await reader.catchUp()
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await app.stop()
})

/** Two blocks make everything final on the sandbox. */
async function settle(): Promise<void> {
  await anvil.mine()
  await reader.catchUp()
}

describe('a deposit address that a contract commands', () => {
  it('is the next salt of the contract, and what arrives there fills the payment', async () => {
    for (const salt of [1, 2]) {
      const { ref, to, due = '' } = await cashier.newPayment({ amount: '25' })
      expect(to).toBe(evmVaults.deposit(anvil.session.chain, vault, salt))
      await anvil.transfer(usdc, to as Hex, parseUnits(due, 6))
      await settle()
      expect((await cashier.show(ref)).paymentState).toBe('FILLED')
    }
  })

  it('is swept by anybody to the collector only, which is a move of ours and no payout', async () => {
    const { to, due = '' } = await cashier.newPayment({ amount: '40' })
    const units = parseUnits(due, 6)
    await anvil.transfer(usdc, to as Hex, units)
    await settle()
    await anvil.call('anvil_setBalance', STRANGER, '0xde0b6b3a7640000')
    await callVault(anvil, STRANGER, vault, { kind: 'sweepToken', token: usdc, items: [{ id: 3n, units }] })
    await settle()
    const { rows } = await sql<{ kind: string; status: string }>`
      SELECT kind, status FROM movements WHERE units = ${units.toString()}::numeric`.execute(app.ctx.db)
    expect(rows).toEqual([{ kind: 'foreign-sweep', status: 'final' }])
  })
})
