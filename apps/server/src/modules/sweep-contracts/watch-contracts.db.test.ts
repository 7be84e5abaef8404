import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { contractWalletsRoutes } from '@kassa/contract/wallets/contract-routes.ts'
import { sql } from 'kysely'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { type FaultyNode, faultyNode } from '../../testing/faulty-node.ts'
import { callVault, createVault } from '../../testing/vaults.ts'
import { openAlarms } from '../alarms/service.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { watchContractsJob } from './jobs.ts'

const FACTORY_ON_ETH = 11
const OWNER: Hex = `0x${'31'.repeat(20)}`
const COLLECTOR: Hex = `0x${'32'.repeat(20)}`
const THIEF: Hex = `0x${'33'.repeat(20)}`

let app: TestApp
let eth: AnvilChain
let liar: FaultyNode
let vault: string

beforeAll(async () => {
  ;[app, eth] = await Promise.all([testApp(), openAnvilChain()])
  const key = await app.signUp()
  liar = await faultyNode(eth.url)
  await setSandboxNode(asSystem(app.ctx), 'ETH', eth.url)
  const made = await createVault(eth, { owner: OWNER, collector: COLLECTOR })
  vault = made.vault
  const body = { transactionHash: made.txId }
  const added = await app.call(
    contractWalletsRoutes.addContractWallet,
    { params: { id: FACTORY_ON_ETH }, body },
    { key },
  )
  if (added.status !== 201) throw new Error(added.text)
}, 60_000)
afterAll(async () => {
  await liar.stop()
  await eth.stop()
  await app.stop()
})

type Call = { readonly id: number; readonly params: readonly [{ readonly data?: string }] }
type Answer = { readonly id: number; result: string }

/** Answers that nothing is proposed. */
function hidesProposals(answer: string, request: string): string {
  const abi: Abi = kassaVault.abi
  const hidden = ['pendingCollector', 'collectorReadyAt'].map((functionName) =>
    encodeFunctionData({ abi, functionName }),
  )
  const list = <T>(text: string) => [JSON.parse(text) as T | T[]].flat() as T[]
  const ids = list<Call>(request).flatMap(({ id, params }) => (hidden.includes(params[0]?.data as Hex) ? [id] : []))
  const answers = list<Answer>(answer).map((one) =>
    ids.includes(one.id) ? { ...one, result: `0x${'0'.repeat(64)}` } : one,
  )
  return JSON.stringify(request.startsWith('[') ? answers : answers[0])
}

const proposed = async () => {
  await watchContractsJob.run(app.ctx, {})
  return (await openAlarms(app.ctx)).flatMap(({ kind, params }) =>
    kind === 'collector_change_pending' ? [(params as { proposed?: string }).proposed?.toLowerCase()] : [],
  )
}

describe('a proposed collector', () => {
  it('is noticed though the node that is asked hides it, where there is one of another operator', async () => {
    await callVault(eth, OWNER, vault, { kind: 'proposeCollector', to: THIEF })
    liar.setFault(hidesProposals)
    await setSandboxNode(asSystem(app.ctx), 'ETH', liar.url)
    expect(await proposed()).toEqual([])
    await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (1, ${eth.url}, 9)`.execute(app.ctx.db)
    expect(await proposed()).toEqual([THIEF])
    // It ends once no node shows it.
    await eth.call('anvil_setBalance', COLLECTOR, '0xde0b6b3a7640000')
    await callVault(eth, COLLECTOR, vault, { kind: 'cancelCollector' })
    expect(await proposed()).toEqual([])
  })
})
