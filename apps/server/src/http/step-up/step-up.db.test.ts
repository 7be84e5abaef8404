import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import { totpCode } from '../../modules/auth/factors/totp.ts'
import { softAuthenticator } from '../../testing/accounts/authenticator.ts'
import { base32, STEP } from '../../testing/accounts/factors.ts'
import { addOperator } from '../../testing/operators.ts'
import { accountXpub, openShop, type Shop } from '../../testing/shop.ts'

const MINUTE = 60_000

let app: TestApp
let key: string
let shop: Shop
/** Wallets that no project uses yet. */
let second: number
let third: number

beforeEach(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:00:00.000Z') })
  key = await app.signUp()
  shop = await openShop(app, key)
  second = await wallet('Second')
  third = await wallet('Third')
  // The window of the sign-in is over: what passes, passes by its token.
  advance(31 * MINUTE)
})
afterEach(() => app.stop())

const advance = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

async function wallet(name: string): Promise<number> {
  const body = { name, xpubs: [{ family: 'ETH_Family', xpub: accountXpub() }] }
  return (await app.call(walletsRoutes.addDepositWallet, { body }, { key })).body.id
}

const callFor = (walletID: number) => ({
  params: { p: shop.p },
  body: { wallets: [{ walletID, blockchainFamily: 'ETH_Family' }] },
})

const show = (walletID: number, by = key) =>
  app.call(authRoutes.prepareStepUp, { body: { action: 'W14', subject: callFor(walletID) } }, { key: by })

type Proof = Omit<NonNullable<RouteCall<typeof authRoutes.stepUp>['body']>, 'challengeId'>

const BY_PASSWORD: Proof = { method: 'password', password: TEST_PASSWORD }

/** Shows what linking the wallet will do and takes the proof for it. */
async function confirm(walletID: number, by = key, proof = BY_PASSWORD): Promise<string> {
  const { challengeId } = (await show(walletID, by)).body
  return (await prove({ ...proof, challengeId }, by)).body.stepUpToken ?? ''
}

const prove = (body: Proof & { readonly challengeId?: string }, by = key) =>
  app.call(authRoutes.stepUp, { body }, { key: by })

const link = async (walletID: number, token: string, idempotencyKey?: string, by = key) => {
  const headers = { 'step-up': token, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) }
  const { status, refusal } = await app.call(walletsRoutes.linkWallets, callFor(walletID), { key: by, headers })
  return refusal?.code ?? status
}

const linked = async (projectId = shop.projectId) => {
  const { rows } = await sql<{ name: string }>`
    SELECT wallets.name FROM project_wallets JOIN wallets ON wallets.id = wallet_id WHERE project_id = ${projectId}`.execute(
    app.ctx.db,
  )
  return rows.map(({ name }) => name)
}

/** Closes the window that the proof opened along with its token. */
const closeWindow = () => sql`UPDATE sessions SET step_up_until = NULL`.execute(app.ctx.db)

describe('http: proof of presence for what moves money', () => {
  it('shows what will happen in the words of the server, whatever the caller writes', async () => {
    const { body } = await show(second)
    expect(body.display.lines.map(({ text }) => text.replace(/[0-9a-f]{8}/, '…'))).toEqual([
      'New customers of Shop get their addresses of ETH_Family from the wallet Second (key …), no longer from Shop deposits.',
      'Customers who have an address keep it.',
    ])
    const { refusal } = await app.call(
      authRoutes.prepareStepUp,
      { body: { action: 'W14', subject: { ...callFor(9999), lines: ['Nothing happens'] } } },
      { key },
    )
    expect(refusal?.code).toBe('WALLET_NOT_FOUND')
  })

  it('describes no call that is not one: 400, never a fault', async () => {
    const subjects = [
      { params: null, body: null },
      { params: 'p', body: [] },
      { params: { p: {} }, body: { wallets: [] } },
      { body: { wallets: [{ walletID: '1' }] } },
    ]
    for (const subject of subjects) {
      const { status } = await app.call(authRoutes.prepareStepUp, { body: { action: 'W14', subject } }, { key })
      expect({ subject, status }).toEqual({ subject, status: 400 })
    }
  })

  it('lets the call pass that was shown, once', async () => {
    const { refusal } = await app.call(walletsRoutes.linkWallets, callFor(second), { key })
    expect(refusal).toMatchObject({ code: 'STEP_UP_REQUIRED', data: { class: 'M', action: 'W14' } })
    const token = await confirm(second)
    await closeWindow()
    expect(await link(second, token, 'same-key')).toBe(201)
    expect(await linked()).toEqual(['Second'])
    // The same intent again is a replay; another one needs another proof.
    expect(await link(second, token, 'same-key')).toBe(201)
    expect(await link(second, token)).toBe('STEP_UP_REQUIRED')
  })

  it('refuses what differs from what was shown and writes nothing: STEP_UP_MISMATCH', async () => {
    const token = await confirm(second)
    expect(await link(third, token, 'other')).toBe('STEP_UP_MISMATCH')
    expect(await linked()).toEqual(['Shop deposits'])
    // The same key again, with what was shown: no refusal of before is repeated.
    expect(await link(second, token, 'shown')).toBe(201)
  })

  it('refuses another key under the wallet that was shown, and the same wallet in another project', async () => {
    const other = await openShop(app, await reopened(), 'Other')
    await closeWindow()
    const token = await confirm(second)
    const input = { ...callFor(second), params: { p: other.p } }
    const elsewhere = await app.call(walletsRoutes.linkWallets, input, { key, headers: { 'step-up': token } })
    expect(elsewhere.refusal?.code).toBe('STEP_UP_MISMATCH')
    await sql`UPDATE wallet_xpubs SET xpub = ${accountXpub()} WHERE wallet_id = ${second}`.execute(app.ctx.db)
    expect(await link(second, token)).toBe('STEP_UP_MISMATCH')
    expect([await linked(), await linked(other.projectId)]).toEqual([['Shop deposits'], ['Other deposits']])
  })

  it('refuses what another tab has changed since, although the call is the same', async () => {
    const [first, other] = [await confirm(second), await confirm(third)]
    expect(await link(third, other)).toBe(201)
    expect(await link(second, first, 'first-tab')).toBe('STEP_UP_MISMATCH')
    expect(await linked()).toEqual(['Third'])
    // Shown again, it says what it takes the place of now, and the same intent goes through.
    const again = await confirm(second)
    expect(await link(second, again, 'first-tab')).toBe(201)
  })

  it('lets one of two calls at once use a token', async () => {
    const token = await confirm(second)
    await closeWindow()
    const answers = await Promise.all([link(second, token, 'one'), link(second, token, 'two')])
    expect(answers.map(String).toSorted()).toEqual(['201', 'STEP_UP_REQUIRED'])
  })

  it('takes a token for two minutes, in its own session, for its own action alone', async () => {
    const late = await confirm(second)
    advance(2 * MINUTE)
    expect(await link(second, late)).toBe('STEP_UP_REQUIRED')
    const elsewhere = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
    expect(await link(second, await confirm(second), undefined, elsewhere.body.key)).toBe('STEP_UP_REQUIRED')
    const token = await confirm(second)
    await sql`UPDATE step_up_tokens SET action = 'D7'`.execute(app.ctx.db)
    expect(await link(second, token)).toBe('STEP_UP_REQUIRED')
    expect(await link(second, 'su_garbage')).toBe('STEP_UP_REQUIRED')
    expect(await linked()).toEqual(['Shop deposits'])
  })

  it('gives no token for what moves no money: the window is enough', async () => {
    const current = (await app.call(walletsRoutes.listProjectWallets, { params: { p: shop.p } }, { key })).body
    const same = current[0]?.walletID ?? 0
    expect((await show(same)).body.display.lines).toEqual([])
    expect(await confirm(same)).toBe('')
    expect((await app.call(walletsRoutes.linkWallets, callFor(same), { key })).status).toBe(201)
  })

  it('is worth nothing to who was demoted or revoked while the dialog was open', async () => {
    const assign = async (id: number, body: { roleName: string }) =>
      app.call(membersRoutes.replaceRoles, { params: { id }, body }, { key: await reopened() })
    const admins = [0, 1].map(() => addOperator(app, { projectId: shop.projectId, role: 'project_lead' }))
    const [demoted, revoked] = await Promise.all(admins)
    if (!demoted || !revoked) throw new Error('Nobody was added')
    for (const { operatorId } of [demoted, revoked]) await assign(operatorId, { roleName: 'admin' })
    const tokens = [await confirm(second, demoted.key), await confirm(second, revoked.key)]
    await assign(demoted.operatorId, { roleName: 'auditor' })
    const gone = { params: { id: revoked.operatorId }, body: {} }
    await app.call(accountRoutes.revokeAccess, gone, { key })
    expect(await link(second, tokens[0] ?? '', undefined, demoted.key)).toBe('FORBIDDEN')
    expect(await link(second, tokens[1] ?? '', undefined, revoked.key)).toBe('UNAUTHORIZED')
    expect((await prove({ ...BY_PASSWORD }, revoked.key)).refusal?.code).toBe('UNAUTHORIZED')
    expect(await linked()).toEqual(['Shop deposits'])
  })

  it('describes nothing to a caller who may not do it', async () => {
    const { projectId } = await openShop(app, await reopened(), 'Other')
    const lead = await addOperator(app, { projectId, role: 'project_lead' })
    expect((await show(second, lead.key)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    const ops = await addOperator(app, { projectId: shop.projectId, role: 'project_ops' })
    expect((await show(second, ops.key)).refusal).toMatchObject({
      code: 'FORBIDDEN',
      data: { permission: 'wallet:link' },
    })
  })
})

describe('http: proof of presence with a second factor', () => {
  it('lets no window stand in for the factor, given for what was shown', async () => {
    const secret = await enrolTotp()
    expect((await prove(byCode(secret))).status).toBe(200)
    const { refusal } = await app.call(walletsRoutes.linkWallets, callFor(second), { key })
    expect(refusal).toMatchObject({
      code: 'STEP_UP_REQUIRED',
      data: { class: 'M', action: 'W14', methods: ['totp', 'backup'] },
    })
    expect(await linked()).toEqual(['Shop deposits'])
    advance(STEP)
    const token = await confirm(second, key, byCode(secret))
    expect(await link(third, token)).toBe('STEP_UP_MISMATCH')
    expect(await linked()).toEqual(['Shop deposits'])
    expect(await link(second, token)).toBe(201)
  })

  it('takes the passkey that signed what was shown', async () => {
    const authenticator = softAuthenticator()
    const { body: begun } = await app.call(factorRoutes.beginPasskey, {}, { key: await reopened() })
    const attestation = authenticator.create(begun.publicKey)
    const body = { challengeId: begun.challengeId, attestation, name: 'Phone' }
    await app.call(factorRoutes.addPasskey, { body }, { key })
    const shown = (await show(second)).body
    const assertion = authenticator.get(shown.publicKey ?? {})
    // The answer to the question about one wallet confirms no other.
    const others = (await show(third)).body.challengeId
    expect((await prove({ method: 'passkey', assertion, challengeId: others })).refusal?.code).toBe(
      'SECOND_FACTOR_INVALID',
    )
    const proved = await prove({ method: 'passkey', assertion, challengeId: shown.challengeId })
    expect(await link(second, proved.body.stepUpToken ?? '')).toBe(201)
  })

  it('asks for a factor first where the install needs one for money: SECOND_FACTOR_SETUP_REQUIRED', async () => {
    const token = await confirm(second)
    const setting = { key: 'security.second_factor', value: 'money' }
    expect((await app.call(settingsRoutes.saveSetting, { body: setting }, { key })).status).toBeLessThan(300)
    expect((await show(second)).refusal?.code).toBe('SECOND_FACTOR_SETUP_REQUIRED')
    expect(await link(second, token, 'same-intent')).toBe('SECOND_FACTOR_SETUP_REQUIRED')
    const { refusal } = await app.call(walletsRoutes.linkWallets, callFor(second), { key })
    expect(refusal?.code).toBe('SECOND_FACTOR_SETUP_REQUIRED')
    expect(await linked()).toEqual(['Shop deposits'])
    // The first wallet of a project takes no money elsewhere.
    await sql`DELETE FROM project_wallets WHERE project_id = ${shop.projectId}`.execute(app.ctx.db)
    expect((await app.call(walletsRoutes.linkWallets, callFor(second), { key })).status).toBe(201)
    // Its key is free once there is a factor: the refusal of before was not stored with it.
    const secret = await enrolTotp()
    expect(await link(third, await confirm(third, key, byCode(secret)), 'same-intent')).toBe(201)
  })
})

/** The secret of an authenticator app that root has set up; its next code is another one. */
async function enrolTotp(): Promise<string> {
  const { secret } = (await app.call(factorRoutes.beginTotp, {}, { key: await reopened() })).body
  const { status } = await app.call(factorRoutes.confirmTotp, { body: { code: codeOf(secret) } }, { key })
  expect(status).toBe(200)
  advance(STEP)
  return secret
}

const codeOf = (secret: string) => totpCode(base32(secret), Math.floor(app.clock.now.getTime() / STEP))
const byCode = (secret: string): Proof => ({ method: 'totp', code: codeOf(secret) })

/** The key of root with an open window. */
async function reopened(): Promise<string> {
  await prove(BY_PASSWORD)
  return key
}
