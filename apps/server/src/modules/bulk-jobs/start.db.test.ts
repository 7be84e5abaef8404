import { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'
import type { NewBulkJob } from '@kassa/contract/bulk-jobs/schemas.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

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

const start = (body: NewBulkJob, { p = shop.p } = {}) =>
  app.call(bulkJobsRoutes.startBulkJob, { params: { p }, body }, { key: root })
const links = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    key: `file-1-${n + 2}`,
    line: n + 2,
    input: { amountInUSD: `${n + 1}.50`, customerEmail: `payer-${n}@example.com`, customerID: `c-${n}`, ...more },
  }))

describe('bulk-jobs: what is refused at the start', () => {
  it('has three under way in a project, also of many at once', async () => {
    const starts = await Promise.all(Array.from({ length: 6 }, () => start({ action: CREATE, rows: links(1) })))
    const refused = starts.flatMap(({ refusal }) => refusal?.code ?? [])
    expect(refused).toEqual(['BULK_JOB_LIMIT', 'BULK_JOB_LIMIT', 'BULK_JOB_LIMIT'])
    const foreign = await openShop(app, root, 'Foreign')
    expect((await start({ action: CREATE, rows: links(1) }, { p: foreign.p })).status).toBe(201)
  })

  it.each([
    ['an action that there is not', { action: 'payment.delete', rows: [{ input: {} }] }, 'action'],
    ['neither rows nor filter', { action: CANCEL }, 'rows'],
    ['both', { action: CANCEL, rows: [{ input: {} }], filter: {} }, 'rows'],
    ['a filter where there is none', { action: CREATE, filter: {} }, 'rows'],
    ['no rows', { action: CREATE, rows: [] }, 'rows'],
    ['a line twice', { action: CREATE, rows: links(2).map((row) => ({ ...row, line: 5 })) }, 'rows'],
    ['a key twice', { action: CREATE, rows: links(2).map((row) => ({ ...row, key: 'k' })) }, 'rows'],
    [
      'a row that is wrong',
      { action: CREATE, rows: [...links(1), { line: 9, input: { customerID: 'c', amountInUSD: '-1' } }] },
      'rows.1.amountInUSD',
    ],
    ['a field that there is not', { action: CREATE, rows: links(1, { colour: 'red' }) }, 'rows.0.colour'],
    ['too many rows', { action: CANCEL, rows: Array.from({ length: 10_001 }, () => ({ input: {} })) }, 'rows'],
  ])('%s', async (_name, body, field) => {
    const { status, refusal } = await start(body)
    expect([status, refusal?.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(Object.keys(refusal?.fields ?? {})).toContain(field)
  })

  it('a filter that cannot be read, and all projects at once', async () => {
    const filter = { paymentStatus: ['GREEN'] }
    expect((await start({ action: CANCEL, filter })).refusal).toMatchObject({ code: 'FILTER_INVALID' })
    const everywhere = await start({ action: CREATE, rows: links(1) }, { p: 'all' })
    expect(everywhere.refusal).toMatchObject({ code: 'PROJECT_REQUIRED' })
  })

  it('takes ten thousand rows in one call', async () => {
    const more = { description: 'x'.repeat(300) }
    const { status, body } = await start({ action: CREATE, rows: links(10_000, more) })
    expect([status, body.total]).toEqual([201, 10_000])
    const huge = JSON.stringify({ action: CREATE, pad: 'x'.repeat(9 * 1024 ** 2) })
    const params = { p: shop.p }
    const refused = await app.call(bulkJobsRoutes.startBulkJob, { params }, { key: root, raw: huge })
    expect(refused.refusal).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })
})
