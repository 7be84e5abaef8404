import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE, wrongCode } from '../../../testing/accounts/factors.ts'
import { TEST_EMAIL } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { recipientWorld } from '../../../testing/money-out/recipients.ts'

const book = await recipientWorld()
const { world, app, advance, mailbox, shop, other } = book
const { create, change, verify, send, list, mailed, pending } = book

beforeEach(book.nextTest)
afterAll(book.stop)

describe('D18, D19: the code', () => {
  it('works once', async () => {
    const { id, code } = await pending()
    expect((await verify(String(id), code)).status).toBe(200)
    expect((await verify(id, code)).refusal?.code).toBe('OTP_INVALID')
    expect((await send(id)).refusal?.code).toBe('RECIPIENT_VERIFIED')
    await change(id, { status: 'blocked' })
    expect((await send(id)).refusal).toMatchObject({
      code: 'RECIPIENT_NOT_ACTIVE',
      message: 'This recipient is blocked.',
    })
  })

  it('works for ten minutes: OTP_EXPIRED', async () => {
    const { id, code } = await pending()
    advance(10 * MINUTE)
    const { status, refusal } = await verify(id, code)
    expect([status, refusal?.code]).toEqual([410, 'OTP_EXPIRED'])
  })

  it('is invalid after the fifth wrong try', async () => {
    const { id, code } = await pending()
    for (let left = 4; left >= 0; left -= 1) {
      const { refusal } = await verify(id, wrongCode(code))
      expect([refusal?.code, refusal?.data]).toEqual(['OTP_INVALID', { triesLeft: left }])
    }
    expect((await verify(id, code)).refusal?.code).toBe('OTP_EXPIRED')
    expect((await list({ ids: [id] })).body.data[0]?.status).toBe('pending-otp-verification')
  })

  it('ends when the member who got it leaves, or has another e-mail', async () => {
    const set = (change: ReturnType<typeof sql>) => sql`UPDATE operators SET ${change} WHERE id = 1`.execute(app.ctx.db)
    const { id, code } = await pending()
    const lead = (await addOperator(app, { projectId: shop, role: 'project_lead' })).key
    await set(sql`state = 'inactive'`)
    expect((await verify(id, code, lead)).refusal?.code).toBe('OTP_EXPIRED')
    await set(sql`state = 'active', email = 'elsewhere@shop.example'`)
    expect((await verify(id, code, lead)).refusal?.code).toBe('OTP_INVALID')
    await set(sql`email = ${TEST_EMAIL}`)
    expect((await verify(id, code, lead)).status).toBe(200)
  })

  it('verifies its own recipient alone', async () => {
    const [one, two] = [await pending(), await pending()]
    if (one.code !== two.code) expect((await verify(two.id, one.code)).refusal?.code).toBe('OTP_INVALID')
    // A row that somebody copies to another recipient is worth nothing either.
    await sql`UPDATE recipient_codes SET code_hash = (SELECT code_hash FROM recipient_codes WHERE recipient_id = ${one.id})
      WHERE recipient_id = ${two.id}`.execute(app.ctx.db)
    expect((await verify(two.id, one.code)).refusal?.code).toBe('OTP_INVALID')
    expect((await verify(one.id, one.code)).status).toBe(200)
  })

  it('is replaced when another one is requested; three are sent in ten minutes: RATE_LIMITED', async () => {
    const { id, code } = await pending()
    const { body } = await send(id)
    expect(body).toEqual({ otpSent: true, expiresAt: new Date(app.clock.now.getTime() + 10 * MINUTE) })
    const next = await mailed()
    if (next.code !== code) expect((await verify(id, code)).refusal?.code).toBe('OTP_INVALID')
    expect((await send(id)).status).toBe(200)
    const { status, refusal, headers } = await send(id)
    expect([status, refusal?.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '600'])
    expect((await verify(id, next.code)).refusal?.code).toBe('OTP_INVALID')
    expect((await verify(id, (await mailed()).code)).status).toBe(200)
  })

  it('is sent to one person twenty times an hour', async () => {
    for (let sent = 0; sent < 20; sent += 1) expect((await create()).status).toBe(201)
    expect((await create()).refusal?.code).toBe('RATE_LIMITED')
  })

  it('is tried again with another code when the mail does not go', async () => {
    const { body } = await create()
    mailbox.refuseWith('Not now')
    await expect(mailed()).rejects.toThrow(/./)
    mailbox.refuseWith(null)
    expect((await verify(body.recipient.id, (await mailed()).code)).status).toBe(200)
  })

  it('accepts one of a hundred concurrent attempts', async () => {
    const { id, code } = await pending()
    const answers = await Promise.all(Array.from({ length: 100 }, () => verify(id, code)))
    const codes = answers.map(({ status, refusal }) => refusal?.code ?? status)
    expect(codes.filter((one) => one === 200)).toHaveLength(1)
    expect(codes.filter((one) => one !== 200 && one !== 'OTP_INVALID' && one !== 'RATE_LIMITED')).toEqual([])
    const { rows } = await sql`SELECT FROM events WHERE type = 'recipient.changed'
      AND payload->>'recipient_id' = ${String(id)} AND payload->>'status' = 'active'`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
  })

  it('counts a hundred guesses at once as five', async () => {
    const { id, code } = await pending()
    const guesses = Array.from({ length: 100 }, (_, index) => String((Number(code) + 1 + index) % 1_000_000))
    const answers = await Promise.all(guesses.map((guess) => verify(id, guess.padStart(6, '0'))))
    expect(answers.filter(({ refusal }) => refusal?.code === 'OTP_INVALID')).toHaveLength(5)
    expect((await verify(id, code)).refusal?.code).toBe('OTP_EXPIRED')
  })
})

describe('an API key', () => {
  async function keyOf(projectId: number, by = world.root()) {
    const body = { name: 'Payouts', preset: 'payouts' }
    return (
      (await app.call(apiKeysRoutes.createApiKey, { params: { p: String(projectId) }, body }, { key: by })).body.key ??
      ''
    )
  }

  it('has its codes mailed to its author, and accepts them', async () => {
    const lead = await addOperator(app, { projectId: shop, role: 'project_lead' })
    const key = await keyOf(shop, lead.key)
    const { body } = await create({}, key)
    expect(body.otpSent).toBe(true)
    const { code, to } = await mailed()
    expect(to).toBe(lead.signedIn.member.email)
    expect((await verify(body.recipient.id, code, key)).body.recipient.status).toBe('active')
    expect((await list({}, key)).body.data.map(({ id }) => id)).toContain(body.recipient.id)
  })

  it('waits for a member when its author was deleted: MEMBER_NOT_FOUND', async () => {
    const lead = await addOperator(app, { projectId: shop, role: 'project_lead' })
    const key = await keyOf(shop, lead.key)
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${lead.operatorId}`.execute(app.ctx.db)
    const { body } = await create({}, key)
    expect(body).toMatchObject({ otpSent: false, recipient: { status: 'pending-otp-verification' } })
    expect((await send(body.recipient.id, key)).refusal?.code).toBe('MEMBER_NOT_FOUND')
    expect((await send(body.recipient.id)).status).toBe(200)
  })

  it('reaches the recipients of its own project alone', async () => {
    const key = await keyOf(shop)
    expect((await create({ projectIDs: [other] }, key)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    const { body } = await create({ projectIDs: [other] })
    const { id } = body.recipient
    expect((await verify(id, '000000', key)).refusal?.code).toBe('RECIPIENT_NOT_FOUND')
    expect((await send(id, key)).refusal?.code).toBe('RECIPIENT_NOT_FOUND')
    expect((await list({ ids: [id] }, key)).body.data).toEqual([])
    expect((await change(id, { name: 'Eve' }, key)).status).toBe(403)
  })
})
