import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { WIRE_KASSA_EVENT, wireCampaign } from '../testing/growth-answers.ts'
import { wireRecipient, wireRecipients } from '../testing/payout-answers.ts'
import { stubServer } from '../testing/stub-server.ts'
import { campaignsQuery, referralEventsQuery } from './growth.ts'
import { payableRecipientsQuery } from './payouts.ts'
import { storeUser } from './session.ts'
import { readWholeList } from './whole-lists.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

const upTo = (count: number) => Array.from({ length: count }, (_, index) => ({ id: count - index }))

describe('readWholeList', () => {
  it('asks until an answer is not full, and has each row once', async () => {
    const asked: object[] = []
    let rows = upTo(250)
    const all = await readWholeList(async ({ limit, offset }) => {
      asked.push({ limit, offset })
      const page = rows.slice(offset, offset + limit)
      // One is added before the next answer.
      rows = [{ id: 251 }, ...rows]
      return page
    })
    expect(asked).toEqual([
      { limit: 200, offset: 0 },
      { limit: 200, offset: 200 },
    ])
    expect(all.map(({ id }) => id)).toEqual(upTo(250).map(({ id }) => id))
  })

  it('ends where offsets end', async () => {
    let asked = 0
    await readWholeList(async ({ offset }) => {
      asked += 1
      return upTo(200).map(({ id }) => ({ id: id + offset }))
    })
    expect(asked).toBe(50)
  })
})

describe('lists that are chosen from', () => {
  const pages = (row: (id: number) => object) => {
    let answers = 0
    return () => {
      answers += 1
      return upTo(answers === 1 ? 200 : 1).map(({ id }) => row(id + (answers === 1 ? 1 : 0)))
    }
  }

  it('hold what one answer does not: campaigns, events, and the recipients of a payout', async () => {
    storeUser({ key: 'ks_test', role: { name: 'root' }, rootExists: true })
    const G = '/external-platform/7/referral'
    const recipients = pages((id) => wireRecipient({ id }))
    stubServer({
      [`GET ${G}/campaigns`]: pages((id) => wireCampaign({ id })),
      [`GET ${G}/events`]: pages((id) => ({ ...WIRE_KASSA_EVENT, id })),
      'GET /project/7/recipients': () => wireRecipients(recipients()),
    })
    const client = new QueryClient()
    expect(await client.query(campaignsQuery('7'))).toHaveLength(201)
    expect(await client.query(referralEventsQuery('7'))).toHaveLength(201)
    expect(await client.query(payableRecipientsQuery('7'))).toHaveLength(201)
  })
})
