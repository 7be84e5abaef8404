import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { MAIL_USER, type Mailbox, startMailbox } from '../../../testing/services/mailbox.ts'
import { addOperator } from '../../../testing/operators.ts'
import { roleId } from '../../operators/roles/rules.ts'
import { issueMailedToken, issueToken, mailPasswordChangedJob, mailReset, mailResetJob } from './service.ts'

const SITE = 'http://localhost:8080'
const MINUTE = 60_000
const NEXT = 'Another.Horse8'

let app: TestApp
let key: string
let mailbox: Mailbox
let now = new Date('2026-03-01T09:00:00.000Z')

const advance = (ms: number) => {
  now = new Date(now.getTime() + ms)
  app.clock.now = now
}
const forgot = (body: object = {}) => app.call(passwordRoutes.forgotPassword, { body: { email: TEST_EMAIL, ...body } })
const signIn = (password: string, email = TEST_EMAIL) => app.call(authRoutes.signIn, { body: { email, password } })
const reset = (resetPasswordToken: string, password = NEXT) =>
  app.call(passwordRoutes.resetPassword, { body: { password, resetPasswordToken } })
const describeLink = (token: string) => app.call(passwordRoutes.readPasswordToken, { body: { token } })
const queued = async () =>
  (
    await sql<{ data: { email: string; origin: string } }>`
    SELECT data FROM pgboss.job WHERE name = ${mailResetJob.queue} ORDER BY created_on`.execute(app.ctx.db)
  ).rows.map(({ data }) => data)

/** Does the queued work and returns the token of the mail. */
async function mailed(): Promise<string> {
  const jobs = await queued()
  const count = mailbox.mails.length
  const mail = jobs.at(-1)
  if (!mail) throw new Error('No mail was asked for')
  await mailReset(asSystem(app.ctx), mail)
  const { text = '' } = await mailbox.holds(count + 1)
  return /resetPasswordToken=([\w-]{43})/.exec(text)?.[1] ?? ''
}
const token = async () => {
  await forgot()
  return mailed()
}

beforeAll(async () => {
  app = await testApp({ now })
  await app.signUp()
  mailbox = await startMailbox()
})
afterAll(async () => {
  await mailbox.close()
  await app.stop()
})
beforeEach(async () => {
  advance(61 * MINUTE)
  await sql`DELETE FROM pgboss.job WHERE name LIKE 'auth.mail%'`.execute(app.ctx.db)
  key = (await signIn(TEST_PASSWORD)).body.key
  const body = {
    host: '127.0.0.1',
    port: mailbox.port,
    ...MAIL_USER,
    encryption: 'none',
    from: 'k@shop.example',
  } as const
  await app.call(mailRoutes.saveMailServer, { body }, { key })
})

/** Leaves the account as the other tests expect it. */
const backToFormer = async () => expect((await reset(await token(), TEST_PASSWORD)).status).toBe(200)

describe('A10, a forgotten password', () => {
  it('answers the same for known and unknown addresses, and writes to known ones only', async () => {
    const known = await forgot()
    const unknown = await forgot({ email: 'nobody@shop.example' })
    expect([known.status, unknown.status]).toEqual([200, 200])
    expect(known.text).toBe(unknown.text)
    const before = mailbox.mails.length
    for (const job of await queued()) await mailReset(asSystem(app.ctx), job)
    await mailbox.holds(before + 1)
    expect(mailbox.mails).toHaveLength(before + 1)
    expect(mailbox.mails.at(-1)?.to).toMatchObject({ text: TEST_EMAIL })
  })

  it('leads to an allowed origin, else to the site, and never to the host that was asked', async () => {
    await app.call(
      settingsRoutes.saveSetting,
      { body: { key: 'security.allowed_origins', value: 'https://pay.shop.example' } },
      { key },
    )
    await forgot({ url: 'https://pay.shop.example/any?x=1' })
    await sql`UPDATE pgboss.job SET state = 'completed' WHERE name = ${mailResetJob.queue}`.execute(app.ctx.db)
    await forgot({ url: 'https://evil.example/createPassword' })
    expect((await queued()).map(({ origin }) => origin)).toEqual(['https://pay.shop.example', SITE])
    expect(app.logLines.join('')).toContain('auth.reset_url_ignored')
  })

  it('writes five times an hour at most', async () => {
    const before = mailbox.mails.length
    for (let count = 0; count < 7; count += 1) {
      await mailReset(asSystem(app.ctx), { email: TEST_EMAIL, origin: SITE })
    }
    expect(mailbox.mails).toHaveLength(before + 5)
  })

  it('still sends the mail once the server accepts mails again, after any number of attempts', async () => {
    const job = { email: TEST_EMAIL, origin: SITE }
    const before = mailbox.mails.length
    mailbox.refuseWith('Try later')
    for (let tries = 0; tries < 6; tries += 1) {
      await expect(mailReset(asSystem(app.ctx), job)).rejects.toThrow('Try later')
    }
    mailbox.refuseWith(null)
    await mailReset(asSystem(app.ctx), job)
    expect(mailbox.mails).toHaveLength(before + 1)
  })

  it('makes no link for a mailbox that the operator left after the mail was requested', async () => {
    const link = { purpose: 'reset', issuedBy: null } as const
    const made = (email: string) => issueMailedToken(asSystem(app.ctx), { id: 1, email }, link)
    expect(await made('former@shop.example')).toBeNull()
    expect(await made(TEST_EMAIL)).not.toBeNull()
  })

  it('reports that no mail can be sent, for every address alike', async () => {
    expect((await app.call(authRoutes.rootExists)).body).toEqual({ exist: true, mail: true })
    await app.call(mailRoutes.removeMailServer, {}, { key })
    expect((await app.call(authRoutes.rootExists)).body).toEqual({ exist: true, mail: false })
    for (const email of [TEST_EMAIL, 'nobody@shop.example']) {
      // A sandbox keeps the letter; what is said elsewhere: sandbox/emails.db.test.ts.
      expect((await forgot({ email })).status).toBe(200)
    }
  })

  it('stores no token as text', async () => {
    const text = await token()
    const { rows } = await sql<{ all: string }>`
      SELECT (SELECT json_agg(t)::text FROM password_tokens t) || (SELECT json_agg(j)::text FROM pgboss.job j) AS all
    `.execute(app.ctx.db)
    expect(rows[0]?.all).not.toContain(text)
    expect(app.logLines.join('')).not.toContain(text)
  })
})

describe('A11, A13, a link', () => {
  it('shows its purpose without being used', async () => {
    const text = await token()
    const { body } = await describeLink(text)
    expect(body).toMatchObject({
      purpose: 'reset',
      email: 'o…r@shop.example',
      inviter: null,
      role: 'Root',
      projects: [],
    })
    expect((await describeLink(text)).status).toBe(200)
    expect((await describeLink('x'.repeat(43))).refusal?.code).toBe('RESET_TOKEN_INVALID')
  })

  it('changes the password once, ends every session, starts none and notifies by mail', async () => {
    const text = await token()
    const answer = await reset(text)
    expect(answer.body).toEqual({ message: 'Password changed. Sign in with the new password.' })
    expect((await app.call(authRoutes.getMe, {}, { key })).refusal?.code).toBe('UNAUTHORIZED')
    expect((await reset(text)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await describeLink(text)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await signIn(TEST_PASSWORD)).refusal?.code).toBe('INVALID_CREDENTIALS')
    expect((await signIn(NEXT)).status).toBe(200)
    const { rows } = await sql`SELECT 1 FROM pgboss.job WHERE name = ${mailPasswordChangedJob.queue}`.execute(
      app.ctx.db,
    )
    expect(rows).toHaveLength(1)
    await backToFormer()
  })

  it('accepts one of two concurrent uses', async () => {
    const text = await token()
    const answers = await Promise.all([reset(text), reset(text, `${NEXT}9`)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
    await backToFormer()
  })

  it('works for thirty minutes', async () => {
    const text = await token()
    advance(30 * MINUTE)
    expect((await reset(text)).refusal?.code).toBe('RESET_TOKEN_INVALID')
  })

  it('is ended by a newer one and by a changed password', async () => {
    const [first, second] = [await token(), await mailed()]
    expect((await describeLink(first)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await describeLink(second)).status).toBe(200)
    const body = { oldPassword: TEST_PASSWORD, password: NEXT }
    await app.call(authRoutes.changePassword, { body }, { key })
    expect((await reset(second)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    await backToFormer()
  })

  it('refuses a weak password at its field and stays usable', async () => {
    const text = await token()
    const weak = await reset(text, 'weak')
    expect(weak.refusal?.fields).toEqual({ password: 'Password does not meet all requirements' })
    expect((await describeLink(text)).status).toBe(200)
  })

  it('does nothing for an account that was turned off', async () => {
    const text = await token()
    await sql`UPDATE operators SET state = 'inactive'`.execute(app.ctx.db)
    expect((await reset(text)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    await sql`UPDATE operators SET state = 'active'`.execute(app.ctx.db)
  })

  it('makes an invited operator active', async () => {
    await sql`UPDATE operators SET state = 'invited', password_hash = NULL`.execute(app.ctx.db)
    const { id } = (await sql<{ id: number }>`SELECT id FROM operators`.execute(app.ctx.db)).rows[0] ?? { id: 0 }
    const invitation = await issueToken(asSystem(app.ctx), id, { purpose: 'invite', issuedBy: id })
    expect((await describeLink(invitation.text)).body.inviter).toBe('o…r@shop.example')
    expect((await reset(invitation.text, TEST_PASSWORD)).status).toBe(200)
    expect((await signIn(TEST_PASSWORD)).status).toBe(200)
  })
})

describe('O13, O14, an administrator', () => {
  const me = async () => (await app.call(authRoutes.getMe, {}, { key })).body.id
  const link = (id: number, password = TEST_PASSWORD) =>
    app.call(passwordRoutes.issueResetLink, { params: { id }, body: { password } }, { key })
  const member = async () => {
    const { body: project } = await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })
    const made = await addOperator(app, { projectId: project.id, role: 'project_ops' })
    return { ...made, email: made.signedIn.member.email }
  }

  it('tells a session that was ended why it ended, but not one that signed out', async () => {
    const reasonFor = async (session: string) =>
      (await app.call(authRoutes.getMe, {}, { key: session })).refusal?.data?.reason
    const { key: left } = (await signIn(TEST_PASSWORD)).body
    await app.call(authRoutes.logOut, { body: {} }, { key: left })
    await reset(await token(), TEST_PASSWORD)
    expect(await reasonFor(key)).toBe('password_changed')
    expect(await reasonFor(left)).toBeUndefined()
    expect((await signIn(TEST_PASSWORD)).status).toBe(200)
  })

  it('makes a link where no mail can be sent', async () => {
    const { operatorId, email } = await member()
    const { body } = await link(operatorId)
    expect(body.url).toMatch(new RegExp(`^${SITE}/createPassword\\?resetPasswordToken=[\\w-]{43}$`))
    expect((await reset(body.url.slice(-43), NEXT)).status).toBe(200)
    expect((await signIn(NEXT, email)).status).toBe(200)
  })

  it('lets a member choose a password before anything else', async () => {
    const { operatorId, email, key: session } = await member()
    const { body } = await app.call(passwordRoutes.requireReset, { params: { id: operatorId } }, { key })
    expect(body.member.resetPasswordRequired).toBe(true)
    expect((await app.call(authRoutes.listSessions, {}, { key: session })).refusal?.code).toBe(
      'RESET_PASSWORD_REQUIRED',
    )
    const signedIn = await signIn(TEST_PASSWORD, email)
    expect(signedIn.body.resetPasswordRequired).toBe(true)
    const temporary = signedIn.body.resetPasswordToken ?? ''
    expect((await describeLink(temporary)).body.purpose).toBe('temporary')
    expect((await reset(temporary, TEST_PASSWORD)).status).toBe(200)
    expect((await signIn(TEST_PASSWORD, email)).body.resetPasswordRequired).toBe(false)
  })

  it('asks for the password although the session has just shown it: CURRENT_PASSWORD_WRONG', async () => {
    const { operatorId } = await member()
    expect(
      (await app.call(passwordRoutes.issueResetLink, { params: { id: operatorId } }, { key })).refusal,
    ).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: { password: 'Password is required' },
    })
    const { refusal } = await link(operatorId, 'Wrong.Horse9')
    expect(refusal).toMatchObject({
      code: 'CURRENT_PASSWORD_WRONG',
      fields: { password: 'Current password is incorrect.' },
    })
    for (let failure = 2; failure <= 5; failure += 1) await link(operatorId, 'Wrong.Horse9')
    expect((await link(operatorId)).refusal?.code).toBe('SIGN_IN_THROTTLED')
    const { rows } = await sql`SELECT 1 FROM password_tokens WHERE operator_id = ${operatorId}`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })

  it('refuses oneself: a stolen session must not become the password', async () => {
    const params = { id: await me() }
    expect((await link(params.id)).refusal?.code).toBe('CANNOT_CHANGE_SELF')
    expect((await app.call(passwordRoutes.requireReset, { params }, { key })).refusal?.code).toBe('CANNOT_CHANGE_SELF')
    expect((await app.call(authRoutes.listSessions, {}, { key })).status).toBe(200)
  })

  it('refuses members above the one who asks', async () => {
    const { body: project } = await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })
    const admin = await addOperator(app, { projectId: project.id, role: 'project_lead' })
    await sql`UPDATE operator_roles SET project_id = NULL, role_id = ${roleId('admin')}
              WHERE operator_id = ${admin.operatorId}`.execute(app.ctx.db)
    const params = { id: await me() }
    const made = { params, body: { password: TEST_PASSWORD } }
    for (const refused of [
      await app.call(passwordRoutes.issueResetLink, made, { key: admin.key }),
      await app.call(passwordRoutes.requireReset, { params }, { key: admin.key }),
    ]) {
      expect(refused.refusal?.code).toBe('ROLE_ABOVE_YOURS')
    }
  })

  it('refuses unknown members', async () => {
    const params = { id: 999 }
    expect((await link(params.id)).refusal?.code).toBe('MEMBER_NOT_FOUND')
    expect((await app.call(passwordRoutes.requireReset, { params }, { key })).refusal?.code).toBe('MEMBER_NOT_FOUND')
  })
})

describe('A16, A17, sessions', () => {
  it('lists every place, the one that asks marked, and ends another', async () => {
    const other = await signIn(TEST_PASSWORD)
    const { body } = await app.call(authRoutes.listSessions, {}, { key })
    expect(body.filter(({ current }) => current)).toHaveLength(1)
    expect(body.map(({ id }) => id)).toContain(other.body.id)
    expect((await app.call(authRoutes.endSession, { params: { id: other.body.id } }, { key })).status).toBe(200)
    expect((await app.call(authRoutes.getMe, {}, { key: other.body.key })).refusal?.code).toBe('UNAUTHORIZED')
    expect((await app.call(authRoutes.endSession, { params: { id: other.body.id } }, { key })).refusal?.code).toBe(
      'SESSION_NOT_FOUND',
    )
  })
})

describe('an install without a site URL', () => {
  it('makes no links: SITE_URL_MISSING', async () => {
    const other = await testApp({ config: { siteUrl: null } })
    const session = await other.signUp()
    const body = { host: '127.0.0.1', port: mailbox.port, encryption: 'none', from: 'k@shop.example' } as const
    await other.call(mailRoutes.saveMailServer, { body }, { key: session })
    const asked = await other.call(passwordRoutes.forgotPassword, { body: { email: TEST_EMAIL } })
    expect(asked.refusal?.code).toBe('SITE_URL_MISSING')
    const { body: project } = await other.call(
      projectsRoutes.createProject,
      { body: { name: 'Shop' } },
      { key: session },
    )
    const { operatorId } = await addOperator(other, { projectId: project.id, role: 'project_ops' })
    const input = { params: { id: operatorId }, body: { password: TEST_PASSWORD } }
    const made = await other.call(passwordRoutes.issueResetLink, input, { key: session })
    expect(made.refusal?.code).toBe('SITE_URL_MISSING')
    const member = { email: 'new@shop.example', roleName: 'auditor' }
    const invited = await other.call(accountRoutes.inviteMember, { body: member }, { key: session })
    expect(invited.refusal?.code).toBe('SITE_URL_MISSING')
    await other.stop()
  })
})
