import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { rolesRoutes } from '@kassa/contract/operators/role-routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { removeFactorsByEmail } from '../enrolment/removal.ts'
import { TEST_PASSWORD, testApp } from '../../../testing/app.ts'
import { base32, factorWorld, MINUTE, wrongCode } from '../../../testing/accounts/factors.ts'

const world = await factorWorld()
const {
  app,
  advance,
  member,
  codeAt,
  beginTotp,
  confirmTotp,
  ownFactors,
  changeName,
  addPasskey,
  withTotp,
  signIn,
  root,
  setSetting,
} = world

beforeEach(world.nextTest)
afterAll(() => app.stop())

describe('A18–A20: an authenticator app', () => {
  it('shows a secret once, confirms it by a code, gives ten backup codes and ends other sessions', async () => {
    const { key, email } = await member()
    const other = (await signIn(email)).body.key
    const { body } = await beginTotp(key)
    expect(body).toMatchObject({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/) })
    expect(body.otpauthURI).toContain(body.secret)
    expect(body.qrSvg).toMatch(/^<svg /)
    expect(await ownFactors(key)).toMatchObject({ enrolled: false, totp: false, backupCodesLeft: 0 })

    const confirmed = await confirmTotp(key, codeAt(body.secret))
    expect(confirmed.body.backupCodes).toHaveLength(10)
    expect(new Set(confirmed.body.backupCodes).size).toBe(10)
    expect(await ownFactors(key)).toEqual({
      enrolled: true,
      policy: 'optional',
      totp: true,
      passkeys: [],
      backupCodesLeft: 10,
    })
    expect((await changeName(other)).status).toBe(401)
    const me = await app.call(authRoutes.getMe, {}, { key })
    expect(me.body.secondFactor).toEqual({
      enrolled: true,
      methods: ['totp', 'backup'],
      satisfied: true,
      setupRequired: false,
      requiredForMoney: false,
    })
    // The window is that of a factor from now on.
    expect(me.body.stepUp.windowUntil).toEqual(new Date(app.clock.now.getTime() + 10 * MINUTE))
    expect((await beginTotp(key)).refusal?.code).toBe('TOTP_ALREADY_ENROLLED')
  })

  it('keeps the secret sealed, and neither secret nor code in the log', async () => {
    const { secret, codes } = await withTotp()
    const dump = await sql<{ text: string }>`SELECT (SELECT string_agg(s::text, ' ') FROM secrets s) ||
      (SELECT string_agg(b::text, ' ') FROM backup_codes b) AS text`.execute(app.ctx.db)
    const seen = JSON.stringify(dump.rows) + app.logLines.join('')
    for (const shown of [secret, base32(secret).toString('hex'), ...codes]) expect(seen).not.toContain(shown)
  })

  it('waits ten minutes for its code, of the newest secret: CHALLENGE_EXPIRED, SECOND_FACTOR_INVALID', async () => {
    const { key } = await member()
    expect((await confirmTotp(key, '123456')).refusal?.code).toBe('CHALLENGE_EXPIRED')
    const first = (await beginTotp(key)).body.secret
    const second = (await beginTotp(key)).body.secret
    const { status, refusal } = await confirmTotp(key, codeAt(first))
    expect([status, refusal?.code]).toEqual([400, 'SECOND_FACTOR_INVALID'])
    advance(10 * MINUTE)
    expect((await confirmTotp(key, codeAt(second))).refusal?.code).toBe('CHALLENGE_EXPIRED')
  })

  it('names a clock that is five minutes off', async () => {
    const { key } = await member()
    const { secret } = (await beginTotp(key)).body
    const { refusal } = await confirmTotp(key, codeAt(secret, 10))
    expect(refusal?.data).toEqual({ reason: 'clock_ahead', minutes: 5 })
    expect(refusal?.details).toContain('the clock of the phone is ahead')
  })

  it('lets guesses at the first code wait: SIGN_IN_THROTTLED', async () => {
    const { key } = await member()
    const { secret } = (await beginTotp(key)).body
    const wrong = wrongCode(codeAt(secret))
    for (let failure = 1; failure <= 5; failure += 1) await confirmTotp(key, wrong)
    expect((await confirmTotp(key, codeAt(secret))).refusal?.code).toBe('SIGN_IN_THROTTLED')
  })

  it('refuses a code whose app is replaced while it is checked', async () => {
    const { key } = await member()
    await beginTotp(key)
    // What a check finds that read the app before another one took its place.
    await app.ctx.db.transaction().execute(async (tx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx)
      await sql`DELETE FROM secrets WHERE id = (SELECT max(id) FROM secrets WHERE kind = 'totp')`.execute(tx)
    })
    expect((await confirmTotp(key, '000000')).refusal?.code).toBe('SECOND_FACTOR_INVALID')
  })

  it('of two confirmations at once one counts', async () => {
    const { key } = await member()
    const { secret } = (await beginTotp(key)).body
    const answers = await Promise.all([confirmTotp(key, codeAt(secret)), confirmTotp(key, codeAt(secret))])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
  })
})

describe('the policy of the install', () => {
  it('always: lets a member without a factor do nothing but set one up, live', async () => {
    const { key } = await member()
    const enrolled = await withTotp()
    await setSetting('security.second_factor', 'always')
    const { status, refusal } = await app.call(projectsRoutes.listProjects, {}, { key })
    expect([status, refusal?.code]).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED'])
    const me = await app.call(authRoutes.getMe, {}, { key })
    expect(me.body.secondFactor).toMatchObject({ enrolled: false, setupRequired: true })
    expect((await app.call(projectsRoutes.listProjects, {}, { key: enrolled.key })).status).toBe(200)

    // The last one stays.
    const removed = await app.call(factorRoutes.removeTotp, {}, { key: enrolled.key })
    expect([removed.status, removed.refusal?.code]).toEqual([409, 'SECOND_FACTOR_POLICY'])
    const own = await withPasskeyOf(key)
    expect((await app.call(projectsRoutes.listProjects, {}, { key })).status).toBe(200)
    const dropped = await app.call(factorRoutes.removePasskey, { params: { id: own } }, { key })
    expect(dropped.refusal?.code).toBe('SECOND_FACTOR_POLICY')
    expect(await ownFactors(key)).toMatchObject({ enrolled: true, backupCodesLeft: 10 })
    await rootEnrolsAndRelaxes()
  })

  it('is money by default where real money moves', async () => {
    const live = await testApp({ config: { network: 'mainnet' } })
    const key = await live.signUp()
    const { body } = await live.call(factorRoutes.getOwnFactors, {}, { key })
    expect(body.policy).toBe('money')
    const row = await live.call(settingsRoutes.getSetting, { params: { key: 'security.second_factor' } }, { key })
    expect(row.body.value).toBe('money')
    const me = await live.call(authRoutes.getMe, {}, { key })
    expect(me.body.secondFactor).toMatchObject({ setupRequired: false, requiredForMoney: true })
    await live.stop()
  })

  const withPasskeyOf = async (key: string) => (await addPasskey(key)).body.id

  /** The root is asked for a factor like everybody, and gives it up again. */
  async function rootEnrolsAndRelaxes() {
    const { secret } = (await beginTotp(root())).body
    await confirmTotp(root(), codeAt(secret))
    await setSetting('security.second_factor', 'optional')
    expect((await app.call(factorRoutes.removeTotp, {}, { key: root() })).status).toBe(200)
  }
})

describe('O15: who lost a factor', () => {
  const remove = (id: number, key = root()) => app.call(factorRoutes.removeSecondFactor, { params: { id } }, { key })

  it('is helped by an administrator: sessions end, the password alone is enough again', async () => {
    const one = await withTotp()
    await addPasskey(one.key)
    const shown = await app.call(membersRoutes.getMember, { params: { id: one.id } }, { key: root() })
    expect(shown.body.secondFactor).toBe(true)
    const { status, body } = await remove(one.id)
    expect([status, body.member.secondFactor]).toEqual([200, false])
    expect((await changeName(one.key)).status).toBe(401)
    const again = await signIn(one.email)
    expect(again.status).toBe(200)
    expect(await ownFactors(again.body.key)).toMatchObject({ enrolled: false, passkeys: [], backupCodesLeft: 0 })
    const { rows } = await sql`SELECT 1 FROM secrets WHERE kind = 'totp' AND label LIKE ${`% ${one.id}`}`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([])
    // Who has none stays signed in.
    expect((await remove(one.id)).status).toBe(200)
    expect((await changeName(again.body.key)).status).toBe(200)
  })

  it('cannot be removed by others: FORBIDDEN, CANNOT_CHANGE_SELF, MEMBER_NOT_FOUND, ROLE_ABOVE_YOURS', async () => {
    const one = await withTotp()
    expect((await remove(one.id, one.key)).refusal?.code).toBe('FORBIDDEN')
    const { body: me } = await app.call(authRoutes.getMe, {}, { key: root() })
    expect((await remove(me.id)).refusal?.code).toBe('CANNOT_CHANGE_SELF')
    expect((await remove(999_999)).refusal?.code).toBe('MEMBER_NOT_FOUND')
    // Two holders of one role that may remove factors are no higher than each other.
    const permissions = ['role:read', 'role:write', 'operator:read', 'operator:write', 'project:read']
    const body = { name: 'keeper', displayName: 'Keeper', permissions, scope: 'install' } as const
    expect((await app.call(rolesRoutes.createRole, { body }, { key: root() })).status).toBe(201)
    const [keeper, other] = [await keeperNamed('one@shop.example'), await keeperNamed('two@shop.example')]
    const { status, refusal } = await remove(other.memberID, keeper.key)
    expect([status, refusal?.code]).toEqual([403, 'ROLE_ABOVE_YOURS'])
  })

  async function keeperNamed(email: string) {
    const { body } = await app.call(
      accountRoutes.inviteMember,
      { body: { email, roleName: 'keeper' } },
      { key: root() },
    )
    const resetPasswordToken = new URL(body.invitation?.url ?? '').searchParams.get('resetPasswordToken') ?? ''
    await app.call(passwordRoutes.resetPassword, { body: { password: TEST_PASSWORD, resetPasswordToken } })
    return (await signIn(email)).body
  }

  it('is helped from the shell of the server', async () => {
    const { email } = await withTotp()
    expect(await removeFactorsByEmail(asSystem(app.ctx), email)).toEqual({ hadAny: true })
    expect((await signIn(email)).status).toBe(200)
    expect(await removeFactorsByEmail(asSystem(app.ctx), email)).toEqual({ hadAny: false })
    await expect(removeFactorsByEmail(asSystem(app.ctx), 'nobody@shop.example')).rejects.toThrow('No such operator')
  })
})
