import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { permissionsOf } from '@kassa/contract/permissions.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { addSession } from '../../testing/accounts/credentials.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import { MAIL_USER, type Mailbox, startMailbox } from '../../testing/services/mailbox.ts'
import { sendEmail } from './service.ts'

const MESSAGE = { subject: 'Hello', paragraphs: ['Some <b>text</b>'], foot: 'Why' }

let app: TestApp
let key: string
let mailbox: Mailbox

const server = () => ({
  host: '127.0.0.1',
  port: mailbox.port,
  ...MAIL_USER,
  encryption: 'none' as const,
  from: 'shop@shop.example',
  fromName: 'Shop',
})
const save = (change: object = {}) => app.call(mailRoutes.saveMailServer, { body: { ...server(), ...change } }, { key })
const read = () => app.call(mailRoutes.getMailServer, {}, { key })
const test = (body: object = {}) => app.call(mailRoutes.testMailServer, { body }, { key })
const secrets = async () =>
  (await sql`SELECT id FROM secrets WHERE kind = 'mail_password'`.execute(app.ctx.db)).rows.length
const alarms = async () => (await app.call(alarmsRoutes.listAlarms, {}, { key })).body.map(({ kind }) => kind)

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  mailbox = await startMailbox()
})
afterAll(async () => {
  await mailbox.close()
  await app.stop()
})
beforeEach(async () => {
  mailbox.refuseWith(null)
  await app.call(mailRoutes.removeMailServer, {}, { key })
  mailbox.mails.length = 0
})

describe('C12 to C14, the mail server', () => {
  it('is absent at first, and screens know it', async () => {
    expect((await read()).refusal?.code).toBe('SMTP_NOT_SET')
    expect((await app.call(mailRoutes.removeMailServer, {}, { key })).refusal?.code).toBe('SMTP_NOT_SET')
    expect((await app.call(settingsRoutes.getDefaultConfiguration, {}, { key })).body.features.smtp).toBe(false)
  })

  it('shows everything but the password', async () => {
    const saved = await save({ replyTo: 'Help@Shop.example' })
    expect(saved.text).not.toContain(MAIL_USER.password)
    expect((await read()).body).toEqual({
      host: '127.0.0.1',
      port: mailbox.port,
      username: 'kassa',
      password: null,
      passwordSet: true,
      encryption: 'none',
      from: 'shop@shop.example',
      fromName: 'Shop',
      replyTo: 'help@shop.example',
      verifiedAt: null,
      updatedAt: expect.any(Date) as Date,
    })
    expect((await app.call(settingsRoutes.getDefaultConfiguration, {}, { key })).body.features.smtp).toBe(true)
    expect(app.logLines.join('')).not.toContain(MAIL_USER.password)
  })

  it('is not overwritten by who has seen older values and says so: EDIT_CONFLICT', async () => {
    const seen = (await save()).body.updatedAt
    const since = (at: Date, change: object) =>
      app.call(
        mailRoutes.saveMailServer,
        { body: { ...server(), ...change } },
        { key, headers: { 'if-unmodified-since': at.toISOString() } },
      )
    const newer = await since(seen, { fromName: 'Newer' })
    expect(newer.status).toBe(200)
    expect((await since(seen, { fromName: 'Older' })).refusal?.code).toBe('EDIT_CONFLICT')
    expect((await since(new Date(0), { fromName: 'First' })).refusal?.code).toBe('EDIT_CONFLICT')
    expect((await read()).body.fromName).toBe('Newer')
    expect((await since(newer.body.updatedAt, { fromName: 'Newest' })).body.fromName).toBe('Newest')
  })

  it('keeps an absent password for its own host only', async () => {
    await save()
    expect((await save({ password: undefined })).body.passwordSet).toBe(true)
    expect((await save({ password: '' })).body.passwordSet).toBe(false)
    await save()
    expect((await save({ password: undefined, host: 'localhost' })).body.passwordSet).toBe(false)
    expect(await secrets()).toBe(0)
  })

  it('understands what older installers send', async () => {
    const encryption = async (change: object) => (await save({ encryption: undefined, ...change })).body.encryption
    expect(await encryption({ ssl: true })).toBe('tls')
    expect(await encryption({ tls: true })).toBe('starttls')
    expect(await encryption({ port: 465 })).toBe('tls')
    expect(await encryption({ port: 587 })).toBe('starttls')
    expect(await encryption({ ssl: false, tls: false })).toBe('none')
  })

  it.each([
    [{ host: 'not a host' }, 'host'],
    [{ host: '' }, 'host'],
    [{ port: 0 }, 'port'],
    [{ port: 70_000 }, 'port'],
    [{ from: 'nobody' }, 'from'],
    [{ replyTo: 'nobody' }, 'replyTo'],
    [{ encryption: 'rot13' }, 'encryption'],
    [{ fromName: 'Shop\nBcc: everybody@shop.example' }, 'fromName'],
    [{ fromName: 'Shop\u2028Two' }, 'fromName'],
  ])('refuses %j at its field', async (change, field) => {
    const { refusal } = await save(change)
    expect(refusal?.code).toBe('VALIDATION_FAILED')
    expect(Object.keys(refusal?.fields ?? {})).toContain(field)
  })

  it('is set by those alone who may set the site URL, because links to choose a password leave through it', async () => {
    await save()
    const { key: admin } = await addSession(app, { permissions: permissionsOf('admin') })
    const answers = [
      await app.call(mailRoutes.saveMailServer, { body: { ...server(), host: 'localhost' } }, { key: admin }),
      await app.call(mailRoutes.removeMailServer, {}, { key: admin }),
    ]
    expect(answers.map(({ refusal }) => refusal?.data?.permission)).toEqual(['security:write', 'security:write'])
    expect((await read()).body.host).toBe('127.0.0.1')
    expect((await app.call(mailRoutes.testMailServer, { body: {} }, { key: admin })).body.success).toBe(true)
  })

  it('is not looked for in a private network', async () => {
    expect((await save({ host: '10.0.0.5' })).refusal?.code).toBe('EGRESS_NOT_ALLOWED')
    expect((await test({ ...server(), host: '169.254.169.254' })).refusal?.code).toBe('EGRESS_NOT_ALLOWED')
  })
})

describe('C15, a mail to try', () => {
  it('needs a server', async () => {
    expect((await test()).refusal?.code).toBe('SMTP_NOT_SET')
  })

  it('is sent to the operator who asks, and shows the dialogue without credentials', async () => {
    await save()
    const { body } = await test()
    expect(body).toMatchObject({ success: true, message: `The mail server took a mail for ${TEST_EMAIL}.` })
    expect(body.transcript.some((line) => line.startsWith('S: 220'))).toBe(true)
    const transcript = body.transcript.join('\n')
    expect(transcript).not.toContain(MAIL_USER.password)
    expect(transcript).not.toContain(Buffer.from(`\u0000kassa\u0000${MAIL_USER.password}`).toString('base64'))
    const mail = await mailbox.holds(1)
    expect(mail.from?.value).toEqual([{ name: 'Shop', address: 'shop@shop.example' }])
    expect(mail.subject).toBe('Kassa can send mail')
    expect((await read()).body.verifiedAt).toBeInstanceOf(Date)
  })

  it('counts for the stored server when the values are the same, as a form sends them', async () => {
    await save()
    await test({ ...server(), port: mailbox.port, password: undefined })
    expect((await read()).body.verifiedAt).toBeInstanceOf(Date)
    await save({ fromName: 'Other' })
    await test(server())
    expect((await read()).body.verifiedAt).toBeNull()
  })

  it('tries values that are not stored', async () => {
    expect((await test({ ...server(), to: 'other@shop.example' })).body.success).toBe(true)
    expect((await mailbox.holds(1)).to).toMatchObject({ text: 'other@shop.example' })
    expect((await read()).refusal?.code).toBe('SMTP_NOT_SET')
  })

  it('says what failed', async () => {
    await save()
    expect((await test({ password: 'wrong' })).body).toMatchObject({
      success: false,
      message: 'The mail server did not accept user name and password.',
    })
    mailbox.refuseWith('Sender address is not ours')
    expect((await test()).body.message).toContain('Sender address is not ours')
    expect((await test({ port: 1 })).body.success).toBe(false)
    expect((await test({ encryption: 'starttls' })).body.success).toBe(false)
    expect((await read()).body.verifiedAt).toBeNull()
  })

  it('sends a stored password to another port, or without encryption, only to who has just proved that it is them', async () => {
    await save()
    await sql`UPDATE sessions SET step_up_until = NULL`.execute(app.ctx.db)
    for (const change of [{ port: 1 }, { encryption: 'starttls' as const }, { ssl: true }]) {
      expect((await test(change)).refusal).toMatchObject({
        code: 'STEP_UP_REQUIRED',
        data: { class: 'S', action: 'C13' },
      })
    }
    // What the password was given for, and a password of one's own.
    expect((await test({ port: mailbox.port, encryption: 'none' })).body.success).toBe(true)
    expect((await test({ port: 1, password: 'typed' })).body.success).toBe(false)
    await app.call(authRoutes.stepUp, { body: { method: 'password', password: TEST_PASSWORD } }, { key })
    expect((await test({ port: 1 })).body.success).toBe(false)
  })

  it('never sends a stored password to another host', async () => {
    await save()
    const { body } = await test({ host: 'localhost', port: mailbox.port, encryption: 'none', username: 'kassa' })
    expect(body).toMatchObject({ success: false, message: 'The mail server did not accept user name and password.' })
  })
})

describe('sendEmail', () => {
  const send = () => sendEmail(asSystem(app.ctx), { to: 'a@shop.example', message: MESSAGE })

  it('refuses without a mail server', async () => {
    const elsewhere = { ...asSystem(app.ctx), config: { ...app.ctx.config, network: 'testnet' } } as const
    await expect(sendEmail(elsewhere, { to: 'a@shop.example', message: MESSAGE })).rejects.toMatchObject({
      code: 'SMTP_NOT_CONFIGURED',
    })
  })

  it('sends text and HTML in which nothing is markup but ours', async () => {
    await save()
    await send()
    const mail = await mailbox.holds(1)
    expect(mail.text).toContain('Some <b>text</b>')
    expect(mail.html).toContain('Some &#60;b&#62;text&#60;/b&#62;')
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  })

  it('raises an alarm while the server takes none, and ends it', async () => {
    await save()
    mailbox.refuseWith('Mailbox is full')
    await expect(send()).rejects.toThrow('Mailbox is full')
    expect(await alarms()).toEqual(['mail_failing'])
    mailbox.refuseWith(null)
    await send()
    expect(await alarms()).toEqual([])
  })

  it('raises the alarm also where the answer comes from no mail server', async () => {
    const database = createServer((socket) => socket.on('error', () => socket.destroy()).end('J\0\0\0\n8.4.0\0\0\r\n'))
    await once(database.listen(0, '127.0.0.1'), 'listening')
    await save({ port: (database.address() as AddressInfo).port })
    await expect(send()).rejects.toThrow('Invalid greeting')
    expect(await alarms()).toEqual(['mail_failing'])
    await new Promise((resolve) => database.close(resolve))
  })
})
