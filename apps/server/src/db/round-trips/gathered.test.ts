import { describe, expect, it } from 'vitest'

import { gathered } from './gathered.ts'

/** A look-up whose statements the test answers one by one. */
function lookup() {
  const asked: { keys: readonly string[]; answer: (found: Map<string, string>) => void; fail: (why: Error) => void }[] =
    []
  const load = (_ctx: object, keys: readonly string[]) =>
    new Promise<Map<string, string>>((answer, fail) => asked.push({ keys, answer, fail }))
  const find = gathered(load, (key) => key)
  const ctx = { memory: new Map() }
  return { asked, find: (key: string) => find(ctx, key) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('gathered', () => {
  it('asks for what came in one turn together, and for all that came meanwhile', async () => {
    const { asked, find } = lookup()
    const [first, zero] = [find('a'), find('0')]
    await settled()
    const [two, three] = [find('b'), find('c')]
    await settled()
    expect(asked.map(({ keys }) => keys)).toEqual([['a', '0']])
    asked[0]?.answer(new Map([['a', 'first']]))
    expect(await Promise.all([first, zero])).toEqual(['first', undefined])
    await settled()
    expect(asked.map(({ keys }) => keys)).toEqual([
      ['a', '0'],
      ['b', 'c'],
    ])
    asked[1]?.answer(new Map([['c', 'third']]))
    expect(await Promise.all([two, three])).toEqual([undefined, 'third'])
  })

  it('fails those of a statement that fails, and goes on with the next', async () => {
    const { asked, find } = lookup()
    const one = find('a')
    await settled()
    const two = find('b')
    asked[0]?.fail(new Error('gone'))
    await expect(one).rejects.toThrow('gone')
    await settled()
    asked[1]?.answer(new Map([['b', 'second']]))
    expect(await two).toBe('second')
    const three = find('a')
    await settled()
    expect(asked).toHaveLength(3)
    asked[2]?.answer(new Map())
    expect(await three).toBeUndefined()
  })
})
