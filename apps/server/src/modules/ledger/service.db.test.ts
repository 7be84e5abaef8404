import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../testing/context.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import type { Account, Entry, Line } from './rules.ts'
import { balancesOf, entriesOf, post, reverse } from './service.ts'
import { AlreadyPosted, Overdrawn } from './store.ts'

let test: TestContext
beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
})
afterAll(() => test.stop())

const account = (kind: Account['kind'], owner: Account['owner']): Account => ({ kind, owner, unitId: 8 })
const coins = account('chain:deposit-addresses', 'address:1')
const waiting = account('project:unconfirmed', 'project:1')
const earned = account('project:balance', 'project:1')

function entryOf(id: bigint, event: string, lines: readonly Line[]): Entry {
  return {
    posting: `test.${event}`,
    source: `test:${id}:${event}`,
    projectId: null,
    at: { blockchainId: 4, height: 10 },
    lines,
  }
}
const seen = (id: bigint, units = 5n) => entryOf(id, 'seen', [{ debit: coins, credit: waiting, units }])
const applied = (id: bigint, units = 5n) => entryOf(id, 'apply', [{ debit: waiting, credit: earned, units }])

let events = 100n
async function postOne(): Promise<bigint> {
  const id = (events += 1n)
  await post(test.ctx, [seen(id), applied(id)])
  return id
}
const sources = async (start: string) => (await entriesOf(test.ctx, [start])).map(({ source }) => source)

describe('ledger.post', () => {
  it('refuses an event that was posted before, and writes none of those beside it', async () => {
    const id = await postOne()
    await expect(post(test.ctx, [seen(7n), applied(id)])).rejects.toThrow(AlreadyPosted)
    expect(await sources('test:7:')).toEqual([])
  })

  it('refuses to take more from a guarded account than it holds', async () => {
    await expect(post(test.ctx, [applied(7n, 1_000_000n)])).rejects.toThrow(Overdrawn)
    expect(await sources('test:7:')).toEqual([])
  })

  it('lets a reorganisation take the float below zero, and nothing else', async () => {
    const owner = 'wallet:1'
    const hot = { kind: 'chain:hot', owner, unitId: 8 } as const
    const move = (source: string, debit: Account, credit: Account): Entry => ({
      ...{ posting: 'test.move', source, projectId: null, at: null },
      lines: [{ debit, credit, units: 5n }],
    })
    const held = { kind: 'chain:hot-held', owner, unitId: 8 } as const
    await post(test.ctx, [move('float:1:fund', hot, { kind: 'owner:funding', owner, unitId: 8 })])
    await post(test.ctx, [move('float:1:reserve', held, hot)])
    await reverse(test.ctx, ['float:1:fund'])
    expect(await balancesOf(test.ctx, [hot, held])).toEqual([-5n, 5n])
    await expect(post(test.ctx, [move('float:2:reserve', held, hot)])).rejects.toThrow(Overdrawn)
    await post(test.ctx, [move('float:1:release', hot, held)])
    expect(await balancesOf(test.ctx, [hot, held])).toEqual([0n, 0n])
  })

  it('prints each line in its unit of account', async () => {
    const [entry] = await entriesOf(test.ctx, [`test:${await postOne()}:`])
    expect(entry?.lines[0]?.unit).toEqual({
      id: 8,
      assetId: 8,
      blockchainCode: 'BASE',
      currencyCode: 'USDC',
      decimals: 6,
    })
  })
})

describe('ledger.reverse', () => {
  it('exchanges debit and credit of every line, at the height of the original', async () => {
    const id = await postOne()
    await reverse(test.ctx, [`test:${id}:apply`])
    const [, original, reversal] = await entriesOf(test.ctx, [`test:${id}:`])
    expect(reversal).toMatchObject({
      posting: 'test.reverse',
      source: `test:${id}:reverse-apply`,
      reverses: original?.id,
      at: { blockchainId: 4, height: 10 },
      lines: [{ debit: earned, credit: waiting, units: 5n }],
    })
  })

  it('reverses newest first, and does nothing the second time', async () => {
    const start = `test:${await postOne()}:`
    await reverse(test.ctx, [start])
    await reverse(test.ctx, [start])
    expect(await sources(start)).toEqual(
      ['seen', 'apply', 'reverse-apply', 'reverse-seen'].map((event) => start + event),
    )
  })

  it('touches no other event whose id begins with the same digits', async () => {
    const id = await postOne()
    await post(test.ctx, [seen(id * 10n)])
    await reverse(test.ctx, [`test:${id}:`])
    expect(await sources(`test:${id * 10n}:`)).toEqual([`test:${id * 10n}:seen`])
  })
})
