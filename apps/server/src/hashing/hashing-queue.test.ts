import { describe, expect, it } from 'vitest'

import { createHashingQueue, QueueFull } from './hashing-queue.ts'

/** Work that ends when the test says so, in a queue of one at a time and three places. */
function bench() {
  const queue = createHashingQueue({ atOnce: 1, longest: 3 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (name: string, network = name.charAt(0)) =>
    queue
      .run(network, async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
        return name
      })
      .catch((thrown: unknown) =>
        thrown instanceof QueueFull ? `${name} refused` : Promise.reject(new Error(String(thrown))),
      )
  const finish = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ask, begun, finish }
}

describe('hashing.hashingQueue', () => {
  it('lets networks take turns, each its oldest first', async () => {
    const { ask, begun, finish } = bench()
    for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name)
    for (let done = 0; done < 4; done += 1) await finish()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('refuses beyond the longest queue', async () => {
    const { ask, begun, finish } = bench()
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => ask(name))
    expect(await all[4]).toBe('a5 refused')
    expect(await all[5]).toBe('a6 refused')
    for (let done = 0; done < 4; done += 1) await finish()
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  it('gives a place in a full queue to a network that waits for less, and the next turn soon', async () => {
    const { ask, begun, finish } = bench()
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((name) => ask(name))
    expect(await all[3]).toBe('a4 refused')
    expect(await all[2]).toBe('a3 refused')
    // Each caller waits for one hash at most: a call that comes now is refused.
    expect(await ask('d1')).toBe('d1 refused')
    for (let done = 0; done < 4; done += 1) await finish()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  })

  it('leaves places when one owner asks from hundreds of networks of IPv6', async () => {
    const queue = createHashingQueue({ atOnce: 1, longest: 32 })
    const ends: (() => void)[] = []
    const work = () => new Promise<void>((resolve) => ends.push(resolve))
    const outcomes: string[] = []
    const ask = (network: string) =>
      queue.run(network, work).then(
        () => void outcomes.push('done'),
        () => void outcomes.push('refused'),
      )
    const all = Array.from({ length: 300 }, (_, at) => ask(`2001:db8:1:${at.toString(16)}00::/64`))
    const neighbours = Array.from({ length: 300 }, (_, at) => ask(`2001:db8:2:${at.toString(16)}::/64`))
    const guest = queue.run('203.0.113.9', async () => 'in')
    await new Promise((resolve) => setImmediate(resolve))
    // One runs; each owner waits for 16, and one of them gives a place to the guest.
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(300 - 17 + 300 - 16 + 1)
    const finish = setInterval(() => ends.splice(0).forEach((end) => end()), 1)
    expect(await guest).toBe('in')
    await Promise.all([...all, ...neighbours])
    clearInterval(finish)
  })

  it('says beforehand what it would refuse, and takes nothing from anybody by that', async () => {
    const queue = createHashingQueue({ atOnce: 1, longest: 2 })
    let end = () => {}
    expect(() => queue.requirePlace('a')).not.toThrow()
    const first = queue.run('a', () => new Promise<void>((resolve) => (end = resolve)))
    const others = [queue.run('b', async () => 'b1'), queue.run('b', async () => 'b2')]
    expect(() => queue.requirePlace('b')).toThrow(QueueFull)
    expect(() => queue.requirePlace('c')).not.toThrow()
    end()
    expect(await Promise.all(others)).toEqual(['b1', 'b2'])
    await first
  })

  it('goes on after work that failed', async () => {
    const queue = createHashingQueue({ atOnce: 1, longest: 1 })
    const failed = queue.run('a', () => Promise.reject(new Error('no memory')))
    const after = queue.run('a', async () => 'done')
    await expect(failed).rejects.toThrow('no memory')
    expect(await after).toBe('done')
    expect(await queue.run('a', async () => 'again')).toBe('again')
  })
})
