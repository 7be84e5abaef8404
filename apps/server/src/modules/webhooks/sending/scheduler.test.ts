import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import type { Context } from '../../../context.ts'
import { allot, createScheduler, type Due } from './scheduler.ts'

const rests: (() => void)[] = []
const ctx = {
  log: pino({ level: 'silent' }),
  sleep: (_ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      rests.push(resolve)
      signal.addEventListener('abort', () => resolve())
    }),
} as unknown as Context

/** Ends every rest that has begun. */
const endRests = () => rests.splice(0).forEach((end) => end())

type OpenTurn = { readonly due: Due; readonly most: number; readonly end: () => void }

/** A scheduler whose turns end when the test ends them. */
function scheduled() {
  const open = new Set<OpenTurn>()
  const ended: Due[] = []
  const scheduler = createScheduler(ctx, (due, most) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const turn = { due, most, end: () => (open.delete(turn), ended.push(due), resolve()) }
    open.add(turn)
    return promise
  })
  const isNews = ({ most }: OpenTurn) => !Number.isFinite(most)
  return {
    scheduler,
    ended,
    news: () => [...open].filter(isNews),
    retries: () => [...open].filter((turn) => !isNews(turn)),
    settle: () => new Promise((resolve) => setImmediate(() => (endRests(), setImmediate(resolve)))),
  }
}

describe('webhooks.createScheduler', () => {
  it('starts a turn with what is new while one with retries hangs, and the other way round', async () => {
    const { scheduler, news, retries, settle } = scheduled()
    scheduler.check(1)
    await settle()
    scheduler.wake(7)
    scheduler.checkNext(2)
    await settle()
    expect(retries().map(({ due }) => due.webhookIds)).toEqual([[1]])
    expect(news().map(({ due }) => due)).toEqual([{ projectIds: [7], webhookIds: [] }])
    retries()[0]?.end()
    scheduler.check(3)
    await settle()
    expect(retries().map(({ due }) => due.webhookIds)).toEqual([[3]])
    news()[0]?.end()
    await settle()
    expect(news().map(({ due }) => due)).toEqual([{ projectIds: [], webhookIds: [2] }])
  })

  it('takes 16 endpoints at most in a turn with retries, one turn of each lane at a time, and each endpoint that was added', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('check', 'checkNext', 'wake'), id: fc.nat(300) }),
      fc.record({ kind: fc.constantFrom('end news', 'end retries') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 400 }), async (steps) => {
        const { scheduler, ended, news, retries, settle } = scheduled()
        const added = { check: new Set<number>(), checkNext: new Set<number>(), wake: new Set<number>() }
        for (const one of steps) {
          if ('id' in one) {
            const kind = one.kind
            scheduler[kind](one.id)
            added[kind].add(one.id)
          } else (one.kind === 'end news' ? news() : retries())[0]?.end()
          if (!('id' in one)) await settle()
          expect([news().length, retries().length].every((count) => count <= 1)).toBe(true)
          expect(retries().every(({ due, most }) => due.webhookIds.length <= 16 && most === 16)).toBe(true)
        }
        while (scheduler.current()) {
          for (const turn of [...news(), ...retries()]) turn.end()
          await settle()
        }
        expect(new Set(ended.flatMap(({ webhookIds }) => webhookIds))).toEqual(
          new Set([...added.check, ...added.checkNext]),
        )
        expect(new Set(ended.flatMap(({ projectIds }) => projectIds))).toEqual(added.wake)
      }),
      { numRuns: 50 },
    )
  })

  it('rests after a turn with retries, during which what is new goes out, and no longer once it is stopped', async () => {
    const { scheduler, news, retries } = scheduled()
    scheduler.check(1)
    retries()[0]?.end()
    scheduler.check(2)
    await new Promise((resolve) => setImmediate(resolve))
    expect(retries()).toEqual([])
    scheduler.wake(7)
    expect(news()).toHaveLength(1)
    news()[0]?.end()
    scheduler.stop()
    await scheduler.current()
    expect(retries()).toEqual([])
  })

  it('stops without an unhandled rejection when a pause fails because its process is stopping', async () => {
    let turns = 0
    const dying = { ...ctx, sleep: () => Promise.reject(new Error('killed')) } as unknown as Context
    const scheduler = createScheduler(dying, async () => void (turns += 1))
    for (let id = 1; id <= 40; id += 1) scheduler.check(id)
    await new Promise((resolve) => setImmediate(resolve))
    scheduler.wake(1)
    expect([turns, scheduler.current()]).toEqual([1, null])
  })

  it('goes on after a turn that failed, and starts none once it is stopped', async () => {
    let turns = 0
    const scheduler = createScheduler(ctx, async () => {
      turns += 1
      throw new Error('the database is away')
    })
    for (const id of [1, 2]) {
      scheduler.check(id)
      setImmediate(endRests)
      await scheduler.current()
    }
    scheduler.stop()
    scheduler.wake(1)
    expect([turns, scheduler.current()]).toEqual([2, null])
  })
})

describe('webhooks.allot', () => {
  const wanted = fc
    .uniqueArray(fc.nat(500), { maxLength: 120 })
    .chain((ids) =>
      fc.tuple(...ids.map((webhookId) => fc.record({ webhookId: fc.constant(webhookId), places: fc.nat(8) }))),
    )

  it('grants no more than there is, none more than it wants, and remembers who got less', () => {
    fc.assert(
      fc.property(wanted, fc.nat(200), (all, most) => {
        const { granted, left } = allot(all, most)
        const of = new Map(granted.map((one) => [one.webhookId, one.places]))
        const asked = all.reduce((sum, { places }) => sum + places, 0)
        const given = granted.reduce((sum, { places }) => sum + places, 0)
        expect(given).toBe(Math.min(asked, most))
        for (const { webhookId, places } of all) {
          const got = of.get(webhookId) ?? 0
          expect(got).toBeLessThanOrEqual(places)
          expect(left.includes(webhookId)).toBe(got < places)
        }
      }),
    )
  })
})
