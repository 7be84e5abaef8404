import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../context.ts'
import { mailReset } from '../modules/auth/passwords/service.ts'
import { storeEmail } from '../modules/mail/service.ts'
import { TEST_EMAIL, type TestApp, testApp } from '../testing/app.ts'
import { addOperator } from '../testing/operators.ts'

const NEXT = 'Another.Horse8'
const OPS = 'ops@shop.example'

let app: TestApp
let root: string
let lead: { readonly operatorId: number; readonly key: string }

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  const shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key: root })).body.id
  lead = await addOperator(app, { projectId: shop, role: 'project_lead' })
  const body = { email: OPS, roleName: 'project_ops', projectIDs: [shop] }
  await app.call(accountRoutes.inviteMember, { body }, { key: lead.key })
})
afterAll(() => app.stop())

const emails = async (key = root) => (await app.call(sandboxRoutes.listEmails, {}, { key })).body
const tokenOf = (url = '') => new URL(url).searchParams.get('resetPasswordToken') ?? ''
const choose = (url: string | undefined) =>
  app.call(passwordRoutes.resetPassword, { body: { password: NEXT, resetPasswordToken: tokenOf(url) } })

describe('e-mails of a sandbox without a mail server', () => {
  it('hold the invitation, whose link lets its reader in', async () => {
    const [email] = await emails()
    expect(email).toMatchObject({ to: OPS, subject: expect.stringContaining('invited'), action: expect.anything() })
    expect((await choose(email?.action?.url)).status).toBe(200)
    const { body } = await app.call(authRoutes.signIn, { body: { email: OPS, password: NEXT } })
    expect((await emails(body.key)).map(({ to }) => to)).toEqual([OPS])
  })

  it('hold the link for a new password, though the sign-in page says that no mail reaches anybody', async () => {
    expect((await app.call(authRoutes.rootExists)).body.mail).toBe(false)
    const body = { email: OPS, url: 'http://localhost:8080' }
    expect((await app.call(passwordRoutes.forgotPassword, { body })).status).toBe(200)
    await mailReset(asSystem(app.ctx), { email: OPS, origin: 'http://localhost:8080' })
    const [email] = await emails()
    expect(email?.action?.url).toContain('/createPassword?resetPasswordToken=')
    expect((await choose(email?.action?.url)).status).toBe(200)
  })

  it('are shown to their recipient and to managers of the recipient only', async () => {
    await mailReset(asSystem(app.ctx), { email: TEST_EMAIL, origin: 'http://localhost:8080' })
    await storeEmail(asSystem(app.ctx), {
      to: 'payer@shop.example',
      message: { subject: '', paragraphs: [], foot: '' },
    })
    expect(new Set((await emails()).map(({ to }) => to))).toEqual(new Set([OPS, TEST_EMAIL, 'payer@shop.example']))
    expect(new Set((await emails(lead.key)).map(({ to }) => to))).toEqual(new Set([OPS, 'payer@shop.example']))
  })

  it('are the newest 200, each of a bounded size', async () => {
    const message = { subject: 'x'.repeat(3_000), paragraphs: Array<string>(40).fill('y'.repeat(90_000)), foot: '' }
    for (let sent = 0; sent < 203; sent += 1) await storeEmail(asSystem(app.ctx), { to: 'payer@shop.example', message })
    const stored = await emails()
    expect(stored).toHaveLength(200)
    expect(Math.max(...stored.map((email) => JSON.stringify(email).length))).toBeLessThan(25_000)
    expect(stored[0]?.subject).toMatch(/x…$/)
  })

  it('are sent once there is a mail server, and exist nowhere but on the sandbox', async () => {
    const server = { host: '127.0.0.1', port: 9, encryption: 'none', from: 'kassa@shop.example' } as const
    await app.call(mailRoutes.saveMailServer, { body: server }, { key: root })
    const [newest] = await emails()
    await expect(mailReset(asSystem(app.ctx), { email: OPS, origin: 'http://localhost:8080' })).rejects.toThrow(/./)
    expect((await emails())[0]?.id).toBe(newest?.id)
    await app.call(mailRoutes.removeMailServer, {}, { key: root })

    const trial = await testApp({ config: { network: 'testnet' } })
    const key = await trial.signUp()
    expect((await trial.call(sandboxRoutes.listEmails, {}, { key })).refusal?.code).toBe('ROUTE_NOT_FOUND')
    const body = { email: TEST_EMAIL, url: 'http://localhost:8080' }
    const { refusal } = await trial.call(passwordRoutes.forgotPassword, { body })
    expect([refusal?.code, refusal?.details]).toEqual([
      'SMTP_NOT_CONFIGURED',
      expect.stringContaining('npm run password-link -- you@shop.example'),
    ])
    await trial.stop()
  })
})
