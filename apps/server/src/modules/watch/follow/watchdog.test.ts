import { describe, expect, it } from 'vitest'

import { StallTimeout, watchdog } from './watchdog.ts'

const NEVER = new AbortController().signal
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('watch.watchdog', () => {
  it('cancels work without an answer, and aborts its signal', async () => {
    let received: AbortSignal | undefined
    const stalled = watchdog(30).wait(NEVER, (signal) => {
      received = signal
      return new Promise(() => {})
    })
    await expect(stalled).rejects.toThrow(StallTimeout)
    expect(received?.aborted).toBe(true)
  })

  it('waits as long as answers come', async () => {
    const { renew, wait } = watchdog(60)
    const done = wait(NEVER, async (signal) => {
      for (let answers = 0; answers < 5; answers += 1) {
        await sleep(25)
        renew()
      }
      return signal.aborted
    })
    expect(await done).toBe(false)
  })

  it('passes on the abort when the program stops', async () => {
    const stopping = new AbortController()
    const work = watchdog(1_000).wait(
      stopping.signal,
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
    )
    stopping.abort()
    expect(await work).toBe('stopped')
  })
})
