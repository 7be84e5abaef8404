import { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'
import type { NewBulkJob } from '@kassa/contract/bulk-jobs/schemas.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { asSystem, inTransaction } from '../../context.ts'
import { openLiveChannel } from '../../events/live-channel.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { paymentsBulkActions } from '../payments/bulk/service.ts'
import { forgetEndedJob, resumeIdleJobs } from './jobs.ts'
import { bulkJobsToRun } from './service.ts'
import { runBulkJob } from './run-job.ts'

let app: TestApp
let root: string
let shop: Shop

beforeEach(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await openShop(app, root)
})
afterEach(() => app.stop())

const CREATE = 'payment.create'
const CANCEL = 'payment.cancel'
const RESEND = 'payment.resend_webhook'
const SETTLE = 'payment.mark_resolved'

const start = (body: NewBulkJob, { key = root, p = shop.p, headers = {} } = {}) =>
  app.call(bulkJobsRoutes.startBulkJob, { params: { p }, body }, { key, headers })
const run = (id: number, forMs = 60_000) => runBulkJob(asSystem(app.ctx), paymentsBulkActions, id, forMs)
const show = async (id: number, p = shop.p) =>
  (await app.call(bulkJobsRoutes.getBulkJob, { params: { p, id } }, { key: root })).body
const rowsOf = async (id: number) =>
  (await app.call(bulkJobsRoutes.listBulkJobRows, { params: { p: shop.p, id }, query: {} }, { key: root })).body.data
const links = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    key: `file-1-${n + 2}`,
    line: n + 2,
    input: { amountInUSD: `${n + 1}.50`, customerEmail: `payer-${n}@example.com`, customerID: `c-${n}`, ...more },
  }))
const countPayments = async () =>
  Number((await sql<{ count: bigint }>`SELECT count(*) FROM payments`.execute(app.ctx.db)).rows[0]?.count)
const newPayment = async (to = shop, customerID = 'somebody') => {
  const body = { customerID, customerEmail: 'payer@example.com', amountInUSD: '10' }
  return (await app.call(paymentsRoutes.createPayment, { body }, { key: to.apiKey })).body.reference_id
}

describe('bulk-jobs: rows that are sent', () => {
  it('makes every link once, and keeps each with its line', async () => {
    const { status, body: job } = await start({ action: CREATE, rows: links(3) })
    expect(status).toBe(201)
    expect(job).toMatchObject({ status: 'queued', total: 3, done: 0, refused: 0, startedBy: 'owner@shop.example' })
    expect(await run(job.id)).toBe(false)
    expect(await show(job.id)).toMatchObject({ status: 'done', done: 3, refused: 0, failure: null })
    const rows = await rowsOf(job.id)
    expect(rows.map(({ line, status: state }) => [line, state])).toEqual([2, 3, 4].map((line) => [line, 'done']))
    const ref = String(rows[1]?.result?.['referenceID'])
    const { body: payment } = await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: root })
    expect(payment).toMatchObject({ amountInUSD: '2.50', createdBy: 'user' })
    expect(rows[1]?.result?.['url']).toContain(ref)
    expect(await run(job.id)).toBe(false)
    expect(await countPayments()).toBe(3)
  })

  it('starts once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'press-1' }
    const first = await start({ action: CREATE, rows: links(1) }, { headers })
    const again = await start({ action: CREATE, rows: links(1) }, { headers })
    expect(again.body.id).toBe(first.body.id)
  })

  it('makes nothing again for the same keys in a later job, and refuses other values under one', async () => {
    const first = (await start({ action: CREATE, rows: links(2) })).body
    await run(first.id)
    const [one, two] = links(2)
    if (!one || !two) throw new Error('No rows')
    const rows = [one, { ...two, input: { ...two.input, amountInUSD: '99' } }, ...links(3).slice(2)]
    const second = (await start({ action: CREATE, rows })).body
    await run(second.id)
    expect(await show(second.id)).toMatchObject({ status: 'done', done: 2, refused: 1 })
    const [before, after] = [await rowsOf(first.id), await rowsOf(second.id)]
    expect(after[0]?.result).toEqual(before[0]?.result)
    expect(after[1]).toMatchObject({ status: 'refused', error: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(await countPayments()).toBe(3)
  })

  it('gives a refused row its code with the values, and goes on', async () => {
    const refs = [await newPayment(), await newPayment(shop, 'other')]
    const rows = [refs[0], refs[0], refs[1]].map((referenceID) => ({ input: { referenceID } }))
    const job = (await start({ action: CANCEL, rows, shared: { reason: 'sold out' } })).body
    await run(job.id)
    expect(await show(job.id)).toMatchObject({ status: 'done', done: 2, refused: 1 })
    const [first, second, third] = await rowsOf(job.id)
    expect(first).toMatchObject({ status: 'done', input: { referenceID: refs[0], reason: 'sold out' } })
    expect(second).toMatchObject({ status: 'refused', error: { code: 'PAYMENT_NOT_OPEN', values: {} } })
    expect(third).toMatchObject({ status: 'done' })
    const tooMuch = links(1, { amountInUSD: '999999' })
    const large = (await start({ action: CREATE, rows: tooMuch.map((row) => ({ ...row, key: 'x' })) })).body
    await run(large.id)
    const [row] = await rowsOf(large.id)
    if (row?.status === 'refused') expect(row.error).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
  })

  it('ends no open link unless the request says so, and recognises a key either way', async () => {
    const open = await newPayment(shop, 'c-0')
    const [row] = links(1)
    if (!row) throw new Error('No row')
    const first = (await start({ action: CREATE, rows: [row] })).body
    await run(first.id)
    expect((await rowsOf(first.id))[0]).toMatchObject({
      status: 'refused',
      error: { code: 'CUSTOMER_HAS_OPEN_LINK', values: { reference: open } },
    })
    const again = (await start({ action: CREATE, rows: [row], shared: { replace: true } })).body
    await run(again.id)
    const [made] = await rowsOf(again.id)
    expect(made?.status).toBe('done')
    const third = (await start({ action: CREATE, rows: [row] })).body
    await run(third.id)
    expect((await rowsOf(third.id))[0]).toMatchObject({ status: 'done', result: made?.result })
    expect(await countPayments()).toBe(2)
  })

  it('never touches what is another project’s', async () => {
    const foreign = await openShop(app, root, 'Foreign')
    const referenceID = await newPayment(foreign)
    for (const action of [CANCEL, RESEND]) {
      const job = (await start({ action, rows: [{ input: { referenceID } }] })).body
      await run(job.id)
      expect((await rowsOf(job.id))[0]).toMatchObject({ status: 'refused', error: { code: 'PAYMENT_NOT_FOUND' } })
    }
    const { body } = await app.call(
      paymentsRoutes.getPayment,
      { params: { p: foreign.p, ref: referenceID } },
      { key: root },
    )
    expect(body.paymentState).toBe('OPEN')
  })
})

describe('bulk-jobs: all that match', () => {
  it('takes those of the project that a filter lets through', async () => {
    const foreign = await openShop(app, root, 'Foreign')
    const other = await newPayment(foreign)
    for (const customer of ['a', 'b', 'c']) await newPayment(shop, customer)
    const job = (await start({ action: CANCEL, filter: { paymentStatus: ['OPEN'] } })).body
    expect(job).toMatchObject({ total: 3, isTruncated: false })
    await run(job.id)
    expect(await show(job.id)).toMatchObject({ status: 'done', done: 3 })
    const { body } = await app.call(paymentsRoutes.getPayment, { params: { p: foreign.p, ref: other } }, { key: root })
    expect(body.paymentState).toBe('OPEN')
    const again = await start({ action: CANCEL, filter: { paymentStatus: ['OPEN'] } })
    expect(again.refusal).toMatchObject({ code: 'BULK_JOB_EMPTY' })
  })

  it('marks what needs attention as resolved, with the note that was given once', async () => {
    const referenceID = await newPayment()
    const job = (await start({ action: SETTLE, filter: { query: referenceID }, shared: { note: 'seen to' } })).body
    await run(job.id)
    expect((await rowsOf(job.id))[0]).toMatchObject({
      status: 'refused',
      input: { referenceID, note: 'seen to' },
      error: { code: 'RESOLUTION_NOT_POSSIBLE' },
    })
    const noNote = await start({ action: SETTLE, filter: { query: referenceID } })
    expect(noNote.refusal).toMatchObject({ code: 'VALIDATION_FAILED', fields: { 'rows.0.note': 'Note is required' } })
  })
})

describe('bulk-jobs: a process that dies', () => {
  it('leaves rows that are done and rows that wait, and nothing twice', async () => {
    const job = (await start({ action: CREATE, rows: links(20) })).body
    await run(job.id, 0)
    await run(job.id, 0)
    // The process dies after the effect of the third row and before its commit.
    const [create, ...others] = paymentsBulkActions
    if (!create) throw new Error('No action')
    const dying = {
      ...create,
      run: async (...input: Parameters<typeof create.run>) => {
        await create.run(...input)
        await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(input[0].db)
        return {}
      },
    }
    // Server, socket or pool notices first that the connection is gone, each in words of its own.
    const dead = runBulkJob(asSystem(app.ctx), [dying, ...others], job.id, 60_000)
    await expect(dead).rejects.toThrow(/terminat|ECONNRESET|EPIPE|not queryable/)
    expect(await countPayments()).toBe(2)
    expect(await show(job.id)).toMatchObject({ status: 'running', done: 2, refused: 0 })
    expect((await rowsOf(job.id)).map(({ status }) => status).filter((status) => status === 'waiting')).toHaveLength(18)
    // Two processes take it up at once, and each believes to be alone.
    await Promise.all([run(job.id), run(job.id)])
    expect(await show(job.id)).toMatchObject({ status: 'done', done: 20, refused: 0 })
    expect(await countPayments()).toBe(20)
  })

  it('is taken up by another after a while, without being asked', async () => {
    const job = (await start({ action: CREATE, rows: links(2) })).body
    await sql`DELETE FROM pgboss.job WHERE name = ${bulkJobsToRun.queue}`.execute(app.ctx.db)
    const waiting = async () =>
      (await sql`SELECT FROM pgboss.job WHERE name = ${bulkJobsToRun.queue}`.execute(app.ctx.db)).rows.length
    await resumeIdleJobs(asSystem(app.ctx))
    expect(await waiting()).toBe(0)
    for (const off of [60_000, /* the clock before was a day ahead */ -86_400_000]) {
      await sql`DELETE FROM pgboss.job WHERE name = ${bulkJobsToRun.queue}`.execute(app.ctx.db)
      const moved = { ...asSystem(app.ctx), now: () => new Date(Date.now() + off) }
      for (const _again of [1, 2]) await resumeIdleJobs(moved)
      expect(await waiting()).toBe(1)
    }
    await app.start('worker')
    await expect.poll(() => show(job.id), { timeout: 20_000 }).toMatchObject({ status: 'done', done: 2 })
  })

  it('tries a row again that failed for another reason than its own, and gives it up in the end', async () => {
    const job = (await start({ action: CREATE, rows: links(2) })).body
    const [create] = paymentsBulkActions
    if (!create) throw new Error('No action')
    const broken = {
      ...create,
      run: (...input: Parameters<typeof create.run>) =>
        input[2]['customerID'] === 'c-0' ? Promise.reject(new Error('out of order')) : create.run(...input),
    }
    const attempt = () => runBulkJob(asSystem(app.ctx), [broken], job.id, 60_000)
    await expect(attempt()).rejects.toThrow('out of order')
    await expect(attempt()).rejects.toThrow('out of order')
    expect(await attempt()).toBe(false)
    expect(await show(job.id)).toMatchObject({ status: 'done', done: 1, refused: 1 })
    expect((await rowsOf(job.id))[0]).toMatchObject({ status: 'refused', error: { code: 'INTERNAL_ERROR' } })
  })
})

describe('bulk-jobs: who started it', () => {
  it('is asked for the permission of the action, and again at every row', async () => {
    const manager = await addOperator(app, { projectId: shop.projectId, role: 'project_manager' })
    const refused = await start({ action: CANCEL, rows: [{ input: { referenceID: await newPayment() } }] }, manager)
    expect(refused).toMatchObject({
      status: 403,
      refusal: { code: 'FORBIDDEN', data: { permission: 'payment:cancel' } },
    })
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    const job = (await start({ action: CREATE, rows: links(3) }, lead)).body
    await run(job.id, 0)
    await sql`DELETE FROM operator_roles WHERE operator_id = ${lead.operatorId}`.execute(app.ctx.db)
    expect(await run(job.id)).toBe(false)
    expect(await show(job.id)).toMatchObject({ status: 'failed', done: 1, refused: 0, failure: { code: 'FORBIDDEN' } })
    expect(await countPayments()).toBe(2)
  })

  it('fails when its operator is switched off, or its project takes no writes any more', async () => {
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    const theirs = (await start({ action: CREATE, rows: links(1) }, lead)).body
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${lead.operatorId}`.execute(app.ctx.db)
    await run(theirs.id)
    expect(await show(theirs.id)).toMatchObject({ status: 'failed', failure: { code: 'UNAUTHORIZED' } })
    const own = (await start({ action: CREATE, rows: links(1) })).body
    await sql`UPDATE projects SET status = 'archived' WHERE id = ${shop.projectId}`.execute(app.ctx.db)
    await run(own.id)
    expect(await show(own.id)).toMatchObject({ status: 'failed', done: 0, failure: { code: 'PROJECT_ARCHIVED' } })
    expect(await countPayments()).toBe(0)
  })

  it('has to be present for what asks for it', async () => {
    await sql`UPDATE sessions SET step_up_until = now() - interval '1 minute'`.execute(app.ctx.db)
    const body = { action: SETTLE, filter: {}, shared: { note: 'x' } }
    expect((await start(body)).refusal).toMatchObject({ code: 'STEP_UP_REQUIRED', data: { class: 'S' } })
  })

  it('sees the jobs of its actions and projects, and no others', async () => {
    const foreign = await openShop(app, root, 'Foreign')
    const theirs = (await start({ action: CREATE, rows: links(1) }, { p: foreign.p })).body
    const own = (await start({ action: CREATE, rows: links(1) })).body
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    const manager = await addOperator(app, { projectId: shop.projectId, role: 'project_manager' })
    const list = async (p: string, key: string, query = {}) =>
      (await app.call(bulkJobsRoutes.listBulkJobs, { params: { p }, query }, { key })).body.map(({ id }) => id)
    expect(await list('all', root)).toEqual([own.id, theirs.id])
    expect(await list(shop.p, root)).toEqual([own.id])
    expect(await list('all', lead.key)).toEqual([own.id])
    expect(await list('all', manager.key)).toEqual([])
    await run(own.id)
    expect(await list('all', root, { isLive: true })).toEqual([theirs.id])
    expect(await list('all', root, { action: CANCEL })).toEqual([])
    for (const [id, key, p] of [
      [theirs.id, lead.key, shop.p],
      [theirs.id, root, shop.p],
      [own.id, manager.key, shop.p],
    ] as const) {
      const params = { p, id }
      const answers = [
        await app.call(bulkJobsRoutes.getBulkJob, { params }, { key }),
        await app.call(bulkJobsRoutes.listBulkJobRows, { params, query: {} }, { key }),
        await app.call(bulkJobsRoutes.cancelBulkJob, { params }, { key }),
        await app.call(bulkJobsRoutes.exportBulkJob, { params, query: {} }, { key, method: 'GET' }),
      ]
      for (const { refusal } of answers) expect(refusal).toMatchObject({ code: 'BULK_JOB_NOT_FOUND' })
    }
  })
})

describe('bulk-jobs: cancel', () => {
  it('ends a job before its next row, once', async () => {
    const job = (await start({ action: CREATE, rows: links(3) })).body
    await run(job.id, 0)
    const params = { p: shop.p, id: job.id }
    const { body } = await app.call(bulkJobsRoutes.cancelBulkJob, { params }, { key: root })
    expect(body).toMatchObject({ status: 'cancelled', done: 1, total: 3 })
    expect(body.resultsUntil?.getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3_600_000)
    expect(await run(job.id)).toBe(false)
    expect(await countPayments()).toBe(1)
    const again = await app.call(bulkJobsRoutes.cancelBulkJob, { params }, { key: root })
    expect(again.refusal).toMatchObject({ code: 'BULK_JOB_ENDED' })
    // The same file again goes on where it ended.
    const next = (await start({ action: CREATE, rows: links(3) })).body
    await run(next.id)
    expect(await show(next.id)).toMatchObject({ status: 'done', done: 3 })
    expect(await countPayments()).toBe(3)
  })
})

describe('bulk-jobs: live updates', () => {
  it('say where a job stands when it starts, while it runs and when it ends', async () => {
    const channel = await openLiveChannel(app.connectionString, app.ctx.log)
    onTestFinished(channel.close)
    const heard: unknown[] = []
    channel.subscribe(
      (message) => message?.name === 'bulk-job.progress' && void heard.push([message.projectId, message.data]),
    )
    const job = (await start({ action: CREATE, rows: links(2) })).body
    await run(job.id, 0)
    await run(job.id)
    const progress = (status: string, done: number) => [
      shop.projectId,
      { jobID: job.id, status, total: 2, done, refused: 0 },
    ]
    await expect.poll(() => heard).toEqual([progress('queued', 0), progress('running', 1), progress('done', 2)])
  })
})

describe('bulk-jobs: result file', () => {
  it('has every line with what was asked and what became of it', async () => {
    const [first, ...rest] = links(3)
    if (!first) throw new Error('No row')
    await newPayment(shop, 'c-1')
    const rows = [{ ...first, input: { ...first.input, description: '=1+1, "two"' } }, ...rest]
    const job = (await start({ action: CREATE, rows })).body
    await run(job.id, 0)
    await app.call(bulkJobsRoutes.cancelBulkJob, { params: { p: shop.p, id: job.id } }, { key: root })
    const params = { p: shop.p, id: job.id }
    const file = await app
      .call(bulkJobsRoutes.exportBulkJob, { params, query: {} }, { key: root })
      .catch(() => undefined)
    expect(file).toBeUndefined()
    const response = await app.http.inject({
      url: `/api/v1/external-platform/${shop.p}/bulk-job/${job.id}/result`,
      headers: { host: 'localhost:8080', 'api-key': root },
    })
    expect(response.headers['content-disposition']).toContain('bulk-job-')
    const lines = response.payload.trim().split('\r\n')
    expect(lines[0]).toBe(
      'line,amountInUSD,customerEmail,customerID,invoiceID,description,expiresInMinutes,outcome,referenceID,url,errorCode,error',
    )
    expect(lines[1]).toMatch(/^2,1\.50,payer-0@example\.com,c-0,,"'=1\+1, ""two""",,done,[0-9a-f-]{36},http.*,,$/)
    expect(lines[2]).toBe('3,2.50,payer-1@example.com,c-1,,,,not_tried,,,,')
  })

  it('is deleted with its job thirty days after the end', async () => {
    const job = (await start({ action: CREATE, rows: links(1) })).body
    await run(job.id)
    const at = (days: number) => ({ ...asSystem(app.ctx), now: () => new Date(Date.now() + days * 24 * 3_600_000) })
    await forgetEndedJob.run(at(29), {})
    expect((await show(job.id)).id).toBe(job.id)
    await forgetEndedJob.run(at(31), {})
    const { rows } = await sql`SELECT FROM bulk_job_rows`.execute(app.ctx.db)
    expect(rows).toEqual([])
    expect(await countPayments()).toBe(1)
  })
})

describe('bulk-jobs: the tables', () => {
  it('hold no key done twice, no fourth job, and no count beyond the total', async () => {
    const job = (await start({ action: CREATE, rows: links(1) })).body
    await run(job.id)
    const other = (await start({ action: CREATE, rows: links(1) })).body
    const wrong = [
      sql`UPDATE bulk_job_rows SET status = 'done', result = '{}' WHERE job_id = ${other.id}`,
      sql`UPDATE bulk_jobs SET place = 4 WHERE id = ${other.id}`,
      sql`UPDATE bulk_jobs SET done = 2 WHERE id = ${other.id}`,
      sql`UPDATE bulk_jobs SET status = 'done', ended_at = now() WHERE id = ${other.id}`,
    ]
    for (const statement of wrong) {
      await expect(inTransaction(app.ctx, (tx) => statement.execute(tx.db))).rejects.toThrow(/violates/)
    }
  })
})
