import { describe, expect, it } from 'vitest'

import { StallTimeout, patience } from './watchdog.ts'

const NEVER = new AbortController().signal
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('watch.patience', () => {
  it('gives work up that hears nothing, and tells it so', async () => {
    let given: AbortSignal | undefined
    const hanging = patience(30).wait(NEVER, (signal) => {
      given = signal
      return new Promise(() => {})
    })
    await expect(hanging).rejects.toThrow(StallTimeout)
    expect(given?.aborted).toBe(true)
  })

  it('waits as long as answers come', async () => {
    const { renew, wait } = patience(60)
    const done = wait(NEVER, async (signal) => {
      for (let answers = 0; answers < 5; answers += 1) {
        await sleep(25)
        renew()
      }
      return signal.aborted
    })
    expect(await done).toBe(false)
  })

  it('passes on that the program stops', async () => {
    const stopping = new AbortController()
    const work = patience(1_000).wait(
      stopping.signal,
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
    )
    stopping.abort()
    expect(await work).toBe('stopped')
  })
})
