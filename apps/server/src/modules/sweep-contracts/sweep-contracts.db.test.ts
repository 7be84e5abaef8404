import { chainOf } from '@kassa/chains/testing/anvil-chain.ts'
import { evmAdapter } from '@kassa/chains/evm/adapter.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { testApp, type TestApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'

const { listContracts, getContract, findContract } = sweepContractsRoutes

let app: TestApp
let key: string
let supportKey: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  const shop = await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })
  supportKey = (await addOperator(app, { projectId: shop.body.id, role: 'project_ops' })).key
})
afterAll(() => app.stop())

describe('sweep-contracts', () => {
  it('lists the contracts of the release on every blockchain that can have them', async () => {
    const { body } = await app.call(listContracts, {}, { key })
    expect([...new Set(body.map(({ blockchainCode }) => blockchainCode))].toSorted()).toEqual([
      'BASE',
      'ETH',
      'POLYGON',
      'TRX',
    ])
    expect(new Set(body.map(({ id }) => id)).size).toBe(16)
    const factories = await app.call(listContracts, { params: { type: 'factory_contract' } }, { key, path: 1 })
    expect(factories.body).toHaveLength(4)
    // One address on every EVM network, and the two names of the merchant's contract are one code.
    const onEvm = factories.body.filter(({ blockchainCode }) => blockchainCode !== 'TRX')
    expect(new Set(onEvm.map(({ address }) => address)).size).toBe(1)
    const onEth = body.filter(({ blockchainCode }) => blockchainCode === 'ETH')
    const codeOf = (type: string) => onEth.find(({ contractType }) => contractType === type)
    expect(codeOf('fund_sweeper')?.codeHash).toBe(codeOf('sweep_approval')?.codeHash)
    expect(codeOf('fund_sweeper')?.address).toBeNull()
  })

  it('gives the factory as published scripts load it', async () => {
    const { body } = await app.call(findContract, { params: { b: 'ETH', type: 'factory_contract' } }, { key })
    const abi = JSON.parse(body.abi) as { name?: string; inputs?: { type: string }[] }[]
    const called = abi.find(({ name }) => name === 'createFundSweeperContract')
    expect(called?.inputs?.map(({ type }) => type)).toEqual(['bytes32', 'address'])
    expect(body).toMatchObject({ source: 'release', status: 'active', blockchainCode: 'ETH' })
    expect(body.address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(body.address).toBe(evmAdapter.vaults.factory(chainOf('ETH', 'sandbox')))
    expect((await app.call(getContract, { params: { id: body.id } }, { key })).body).toEqual(body)
  })

  it.each([
    ['CONTRACT_TYPE_UNKNOWN', listContracts, { params: { type: 'proxy' } }, 1],
    ['CONTRACT_NOT_FOUND', getContract, { params: { id: 999_999 } }, 0],
    ['CONTRACT_NOT_FOUND', findContract, { params: { b: 'BTC', type: 'factory_contract' } }, 0],
    ['CONTRACT_NOT_FOUND', findContract, { params: { b: 'ETH', type: 'proxy' } }, 0],
  ] as const)('answers %s', async (code, route, input, path) => {
    expect((await app.call(route, input, { key, path })).refusal?.code).toBe(code)
  })

  it('shows them only with the permission', async () => {
    expect((await app.call(listContracts, {}, { key: supportKey })).status).toBe(403)
    expect((await app.call(listContracts, {})).status).toBe(401)
  })
})
