import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { vaultsRoutes } from '@kassa/contract/vaults/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { newAccount } from '../../../testing/shop.ts'
import { open } from '../../vaults/service.ts'
import { deriveMore } from '../pool.ts'
import { findHotWallet } from './service.ts'

let app: TestApp
let key: string
let projectId: number

/** A key that nobody else uses. */
const IMPORTED = '4c0883a69102937d6231471b5dbb6204fe512961708279f4c7b2ab3f1a5e9d01'
const ETH = 1
const BASE = 4

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  projectId = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
})
afterAll(() => app.stop())

const add = (body: object, { f = 'ETH_Family', by = key, headers = {} } = {}) =>
  app.call(hotWalletsRoutes.addHotWallet, { params: { f }, body: { name: 'Hot', ...body } }, { key: by, headers })

describe('wallets.addHotWallet', () => {
  it('makes one key for payouts and one for gas, and says so of each', async () => {
    const [payouts, gas] = [(await add({ generate: true })).body, (await add({ generate: true, name: 'Gas' })).body]
    expect(payouts).toMatchObject({
      walletType: 'hot_wallet',
      secretType: 'private_key',
      default: true,
      status: 'active',
    })
    expect(payouts).toMatchObject({ family: 'ETH_Family', floatLimitInUSD: '500.00' })
    expect(payouts.walletFunctions.map(({ activityType }) => activityType)).toEqual(['eth_hot_wallet'])
    expect(gas.walletFunctions.map(({ activityType }) => activityType)).toEqual(['eth_gas_wallet'])
    expect(payouts.address).not.toBe(gas.address)
    for (const blockchainId of [ETH, BASE]) {
      expect(await findHotWallet(app.ctx, { blockchainId, purpose: 'payout' })).toMatchObject({ walletId: payouts.id })
      expect(await findHotWallet(app.ctx, { blockchainId, purpose: 'gas' })).toMatchObject({ address: gas.address })
    }
    expect(await findHotWallet(app.ctx, { blockchainId: 3, purpose: 'gas' })).toBeNull()
  })

  it('seals an imported key, and does not replace the default', async () => {
    const { body } = await add({ privateKey: `0x${IMPORTED}`, functions: ['payout', 'gas'], floatLimitInUSD: '40.5' })
    expect(body).toMatchObject({
      address: privateKeyToAddress(`0x${IMPORTED}`),
      default: false,
      floatLimitInUSD: '40.50',
    })
    const { rows } = await sql<{
      id: number
    }>`SELECT secret_id AS id FROM hot_keys WHERE wallet_id = ${body.id}`.execute(app.ctx.db)
    expect((await open(app.ctx, rows[0]?.id ?? 0)).toString('hex')).toBe(IMPORTED)
  })

  it('keeps the key out of every answer, log line and row', async () => {
    const secret = 'b1946ac92492d2347c6235b4d2611184f1c8d1f5ad3f3c8d9f1a2b3c4d5e6f70'
    const body = { name: 'Quiet', privateKey: secret }
    const subject = { params: { f: 'ETH_Family' }, body }
    const shown = await app.call(authRoutes.prepareStepUp, { body: { action: 'W9', subject } }, { key })
    expect(shown.text).toContain(privateKeyToAddress(`0x${secret}`))
    const headers = { 'idempotency-key': 'once' }
    const answers = [shown, await add(body, { headers }), await add(body, { headers }), await add(body)]
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 201, 409])
    const seen = [...answers.map(({ text }) => text), ...app.logLines, await dump()].join('\n').toLowerCase()
    expect(seen).toContain('quiet')
    for (const form of [secret, Buffer.from(secret, 'hex').toString('base64')]) {
      expect(seen).not.toContain(form.toLowerCase())
    }
  })

  it('refuses what is no key, an address that has an owner, and a family whose keys it cannot hold', async () => {
    const codeOf = async (body: object, f?: string) => (await add(body, { f })).refusal?.code
    expect(await codeOf({ privateKey: '00'.repeat(32) })).toBe('PRIVATE_KEY_INVALID')
    expect(await codeOf({ privateKey: 'hello' })).toBe('PRIVATE_KEY_INVALID')
    expect(await codeOf({})).toBe('VALIDATION_FAILED')
    expect(await codeOf({ privateKey: IMPORTED, generate: true })).toBe('VALIDATION_FAILED')
    expect(await codeOf({ privateKey: IMPORTED })).toBe('ADDRESS_IS_OURS')
    expect(await codeOf({ generate: true }, 'BTC_Family')).toBe('FAMILY_UNSUPPORTED')
    expect(await codeOf({ generate: true, vaultID: 99 })).toBe('VAULT_NOT_FOUND')
  })

  it('refuses the key of a deposit address', async () => {
    const account = newAccount()
    const xpubs = [{ family: 'ETH_Family', xpub: account.publicExtendedKey }]
    const body = { name: 'Deposits', xpubs }
    const { id } = (await app.call(walletsRoutes.addDepositWallet, { body }, { key })).body
    await deriveMore(app.ctx, { walletId: id, familyId: 1 }, 3)
    const child = Buffer.from(account.deriveChild(0).deriveChild(2).privateKey ?? []).toString('hex')
    expect((await add({ privateKey: child })).refusal).toMatchObject({
      code: 'ADDRESS_IS_OURS',
      details: 'It is the deposit address of a customer.',
    })
  })

  it('lets one of two imports of the same key at once win', async () => {
    const privateKey = 'aa'.repeat(32)
    const answers = await Promise.all([add({ privateKey }), add({ privateKey }), add({ privateKey })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  it('waits for a locked vault', async () => {
    const vault = { name: 'Hot', provider: 'passphrase' as const, passphrase: 'correct horse battery' }
    const { id } = (await app.call(vaultsRoutes.createVault, { body: vault }, { key })).body
    expect((await add({ generate: true, vaultID: id })).status).toBe(201)
    await app.call(vaultsRoutes.lockVault, { params: { id } }, { key })
    expect((await add({ generate: true, vaultID: id })).refusal?.code).toBe('VAULT_LOCKED')
  })

  it('is closed to operators who may not add wallets', async () => {
    for (const role of ['project_lead', 'project_ops'] as const) {
      const member = await addOperator(app, { projectId, role })
      expect((await add({ generate: true }, { by: member.key })).refusal).toMatchObject({
        code: 'FORBIDDEN',
        data: { permission: 'wallet:write' },
      })
    }
  })
})

/** Every row of every table as text. */
async function dump(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`.execute(
    app.ctx.db,
  )
  const texts: string[] = []
  for (const { name } of rows) {
    const found = await sql<{
      text: string
    }>`SELECT row_to_json(one)::text AS text FROM ${sql.raw(name)} AS one`.execute(app.ctx.db)
    texts.push(...found.rows.map(({ text }) => text))
  }
  return texts.join('\n')
}
