import { referralShopRoutes } from '@kassa/contract/referral/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { promoterShop } from '../../../testing/referral/promoters.ts'
import { sandboxEmails } from '../../mail/service.ts'
import { signPending } from '../../withdrawals/sending/service.ts'
import { mailEmailChangedJob } from './mail-changed.ts'
import { updateReferrerEmail } from './store.ts'

const HOUR = 3_600_000

let app: TestApp
let root: string
let shop: Awaited<ReturnType<typeof promoterShop>>

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await promoterShop(app, root)
  await shop.campaign('30')
})
afterAll(() => app.stop())
beforeEach(async () => {
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  await sql`DELETE FROM payout_policies`.execute(app.ctx.db)
  await sql`DELETE FROM pgboss.job WHERE name = ${mailEmailChangedJob.queue}`.execute(app.ctx.db)
})

const signIn = (referenceID: string, email: string) =>
  app.call(referralShopRoutes.authenticateReferrer, { body: { email, referenceID } }, { key: shop.apiKey })
/** Does the queued work; returns how many former mailboxes were notified. */
const notify = async () => {
  const { rows } = await sql<{ data: Parameters<typeof mailEmailChangedJob.run>[1] }>`
    SELECT data FROM pgboss.job WHERE name = ${mailEmailChangedJob.queue}`.execute(app.ctx.db)
  for (const { data } of rows) await mailEmailChangedJob.run(asSystem(app.ctx), data)
  return rows.length
}
/** A promoter whose withdrawal was approved. */
const approved = async () => {
  const one = await shop.promoter()
  await shop.earn(one, 2)
  const { id } = (await one.withdraw({ otpCode: await one.otp() })).body
  expect((await shop.approve(id)).body.status).toBe('pending')
  return { one, id }
}
/** The sender looks at what waits, so many hours later. */
const signAfter = async (id: number, hours = 0, network = app.ctx.config.network) => {
  const now = () => new Date(app.ctx.now().getTime() + hours * HOUR)
  await signPending({ ...asSystem(app.ctx), now, config: { ...app.ctx.config, network } })
  return (await shop.read(id)).body.waitReason
}

describe('R1: a promoter’s other e-mail address', () => {
  it('is announced to the former mailbox, masked, and to no other', async () => {
    const one = await shop.promoter()
    expect((await signIn(one.referenceID, 'thief@evil.example')).body.referrer.email).toBe('thief@evil.example')
    expect(await notify()).toBe(1)
    const [mail] = await sandboxEmails(app.ctx)
    expect(mail?.recipient).toBe(one.email)
    const text = JSON.stringify(mail?.message)
    expect(text).toContain('t…f@evil.example')
    expect(text).toContain('If you did not ask for this, write to Shop at once')
    expect(text).not.toContain('thief@evil.example')
  })

  it('ends the code that the former mailbox got: OTP_EXPIRED', async () => {
    const one = await shop.promoter()
    await shop.earn(one, 2)
    const otpCode = await one.otp()
    await signIn(one.referenceID, 'fifth@people.example')
    expect((await one.withdraw({ otpCode })).refusal?.code).toBe('OTP_EXPIRED')
    expect((await one.withdraw({ otpCode: await one.otp() })).status).toBe(201)
  })

  it('is nothing new to a call that comes at the same moment as the one that changes it', async () => {
    const one = await shop.promoter()
    const email = 'sixth@people.example'
    const second = await inTransaction(asSystem(app.ctx), async (tx) => {
      await updateReferrerEmail(tx, one.id, email)
      const answer = signIn(one.referenceID, email)
      await vi.waitFor(async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`.execute(tx.db)
        expect(rows).toHaveLength(1)
      }, 10_000)
      return { answer }
    })
    expect((await second.answer).body.referrer.email).toBe(email)
    expect(await notify()).toBe(0)
  })

  it('is nothing new where only the case differs', async () => {
    const one = await shop.promoter()
    expect((await signIn(one.referenceID, one.email.toUpperCase())).body.referrer.email).toBe(one.email)
    expect(await notify()).toBe(0)
  })

  it('keeps withdrawals waiting as long as a new address of a recipient', async () => {
    const { one, id } = await approved()
    expect(await signAfter(id)).toBe('NO_WALLET')
    await shop.setPolicy({ recipientDelayHours: 24 })
    expect(await signAfter(id, 25)).toBe('NO_WALLET')
    await signIn(one.referenceID, 'other@people.example')
    await sql`UPDATE referrers SET email_changed_at = email_changed_at + interval '25 hours' WHERE id = ${one.id}`.execute(
      app.ctx.db,
    )
    expect(await signAfter(id, 26)).toBe('EMAIL_CHANGED')
    expect(await signAfter(id, 50)).toBe('NO_WALLET')
  })

  it('is shown to those who are to approve a withdrawal, with the time until which it will wait', async () => {
    const one = await shop.promoter()
    await shop.earn(one, 2)
    const { id } = (await one.withdraw({ otpCode: await one.otp() })).body
    await shop.setPolicy({ recipientDelayHours: 24 })
    expect((await shop.read(id)).body.waitsNext).toBeNull()
    await signIn(one.referenceID, 'fourth@people.example')
    const { waitReason, waitsNext } = (await shop.read(id)).body
    expect(waitReason).toBe('APPROVAL')
    expect(waitsNext).toMatchObject({ code: 'EMAIL_CHANGED', text: expect.stringContaining('Ask them') })
    await sql`UPDATE referrers SET email_changed_at = email_changed_at - interval '25 hours' WHERE id = ${one.id}`.execute(
      app.ctx.db,
    )
    expect((await shop.read(id)).body.waitsNext).toBeNull()
  })

  it('keeps them waiting for a day on mainnet, whatever the policy says', async () => {
    const { one, id } = await approved()
    await signIn(one.referenceID, 'third@people.example')
    expect(await signAfter(id, 0, 'mainnet')).toBe('EMAIL_CHANGED')
    // Changing it back gains no time.
    await signIn(one.referenceID, one.email)
    expect(await signAfter(id, 23, 'mainnet')).toBe('EMAIL_CHANGED')
    expect(await signAfter(id, 25, 'mainnet')).not.toBe('EMAIL_CHANGED')
  })
})
