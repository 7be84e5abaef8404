import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { VaultActivity } from '@kassa/contract/vaults/activities.ts'
import { vaultActivityRoutes } from '@kassa/contract/vaults/activity-routes.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { vaultsRoutes } from '@kassa/contract/vaults/routes.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { asSystem } from '../../context.ts'
import { TEST_EMAIL, type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { sealEntries } from './service.ts'

const PASSPHRASE = 'correct horse battery'

let app: TestApp
let root: string
let vaultId: number
/** Its key lies in the other vault. */
let hotWallet: number

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  const make = (name: string) =>
    app.call(
      vaultsRoutes.createVault,
      { body: { name, provider: 'passphrase', passphrase: PASSPHRASE } },
      { key: root },
    )
  await make('Other')
  vaultId = (await make('Hot keys')).body.id
  const params = { id: vaultId }
  await app.call(vaultsRoutes.lockVault, { params }, { key: root })
  const wrong = { params, body: { passphrase: 'not this one' } }
  await app.call(vaultsRoutes.unlockVault, wrong, { key: root })
  await app.call(vaultsRoutes.unlockVault, { params, body: { passphrase: PASSPHRASE } }, { key: root })
  const hot = { name: 'Hot', generate: true, functions: ['payout' as const], vaultID: vaultId - 1 }
  const added = await app.call(hotWalletsRoutes.addHotWallet, { params: { f: 'ETH_Family' }, body: hot }, { key: root })
  hotWallet = added.body.id
  const shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key: root })).body
  const lead = await addOperator(app, { projectId: shop.id, role: 'project_lead' })
  await app.call(vaultsRoutes.deleteVault, { params }, { key: lead.key })
})
afterAll(() => app.stop())

type Query = NonNullable<RouteCall<typeof vaultActivityRoutes.listVaultActivities>['query']>
const ask = (query: Query, key = root) => app.call(vaultActivityRoutes.listVaultActivities, { query }, { key })
const list = async (query: Query) => (await ask(query)).body as VaultActivity[]

describe('audit.listVaultActivities', () => {
  it('lists what was done to vaults and by whom, refusals too, newest first', async () => {
    const actor = { name: '', email: TEST_EMAIL }
    expect(await list({ vaultID: vaultId })).toMatchObject([
      {
        activityType: 'delete',
        vaultID: vaultId,
        result: 'refused',
        description: expect.stringContaining('FORBIDDEN'),
      },
      { activityType: 'unlock', displayName: 'Vault unlocked', vaultID: vaultId, result: 'ok', actor },
      { activityType: 'lock', vaultID: vaultId, result: 'ok', actor },
      { activityType: 'add', displayName: 'Vault added', vaultID: vaultId, walletID: null, result: 'ok', actor },
    ])
    expect((await list({})).map(({ vaultID }) => vaultID)).toContain(vaultId - 1)
    expect(await list({ vaultID: 999 })).toEqual([])
  })

  it('names each by the hash of its entry once that is sealed', async () => {
    // An entry is sealed once no transaction is open that began before it, whichever database of this server it is of.
    const sealed = async () => {
      await sealEntries(asSystem(app.ctx), 0)
      for (const { digest } of await list({})) expect(digest).toMatch(/^[\da-f]{64}$/)
    }
    await vi.waitFor(sealed, { timeout: 50_000, interval: 200 })
  })

  it('is narrowed by activity and day, and refuses what it does not know: VALIDATION_FAILED', async () => {
    expect((await list({ activityType: 'add' })).map(({ activityType }) => activityType)).toEqual(['add', 'add', 'add'])
    expect(await list({ endDate: '2020-01-31' })).toEqual([])
    expect([await list({ walletID: 999 }), await list({ activityType: 'trx_gas_wallet' })]).toEqual([[], []])
    expect((await ask({ activityType: 'sing' as never })).refusal?.code).toBe('VALIDATION_FAILED')
    expect((await ask({ startDate: 'yesterday' })).refusal?.code).toBe('VALIDATION_FAILED')
  })

  it('lists the keys of hot wallets that were sealed, by wallet, by vault and by what they are for', async () => {
    const added = [
      {
        activityType: 'add',
        displayName: 'Hot wallet key added',
        walletID: hotWallet,
        vaultID: vaultId - 1,
        result: 'ok',
      },
    ]
    expect(await list({ walletID: hotWallet })).toMatchObject(added)
    expect(await list({ activityType: 'eth_hot_wallet' })).toMatchObject(added)
    expect(await list({ walletID: hotWallet, activityType: 'eth_gas_wallet' })).toEqual([])
    const secrets = (await app.call(vaultsRoutes.getVault, { params: { id: vaultId - 1 } }, { key: root })).body.secrets
    expect(secrets).toMatchObject([{ kind: 'hot-key', walletID: hotWallet }])
    expect((await list({ vaultID: vaultId - 1 })).map(({ displayName }) => displayName)).toEqual([
      'Hot wallet key added',
      'Vault added',
    ])
  })

  it('says how many there are, and links to the next page of the same question', async () => {
    const all = await list({ vaultID: vaultId })
    const first = await ask({ vaultID: vaultId, limit: 3 })
    expect([first.headers['x-total-count'], (first.body as VaultActivity[]).length]).toEqual([String(all.length), 3])
    const [, address = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.link ?? '') ?? []
    const next = await app.http.inject({ url: address, headers: { host: 'localhost:8080', 'api-key': root } })
    expect([next.json<{ id: number }[]>().map(({ id }) => id), next.headers.link]).toEqual([
      all.slice(3).map(({ id }) => id),
      undefined,
    ])
    const cursor = new URL(address, 'http://localhost').searchParams.get('cursor') ?? ''
    expect((await ask({ cursor, limit: 3 })).refusal?.code).toBe('CURSOR_INVALID')
  })

  it('answers with view=functions what the key of a wallet may be for', async () => {
    const { body } = await ask({ view: 'functions' })
    expect(body).toContainEqual({
      ...{ id: 2, activityType: 'eth_hot_wallet', displayName: 'EVM hot wallet', walletID: hotWallet },
      description: 'Pays out on EVM networks',
    })
    expect(body.find((one) => one.activityType === 'eth_gas_wallet')?.walletID).toBeNull()
  })
})
