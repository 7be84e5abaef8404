import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { openLive } from './live.ts'
import type { LiveState } from './live.ts'
import { pacedStale, staleNouns, topicsFor } from './live-topics.ts'

/** The far end of a socket, driven by the test. */
class Socket extends EventTarget {
  static opened: Socket[] = []
  readonly sent: Record<string, unknown>[] = []
  readonly url: string
  readonly protocol: string
  constructor(url: string, protocol: string) {
    super()
    this.url = url
    this.protocol = protocol
    Socket.opened.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }
  close(code = 1006): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
  say(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  Socket.opened = []
  vi.stubGlobal('WebSocket', Socket)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function start(requestToken = () => Promise.resolve({ token: 'abc', serverUrl: 'ws://x/api/v1/ws' })) {
  const seen = {
    states: [] as LiveState[],
    events: [] as string[],
    resyncs: [] as string[],
    sessions: [] as string[],
    permissions: [] as string[],
  }
  const channel = openLive({
    requestToken,
    isUnreachable: (thrown) => thrown === 'nothing answered',
    onState: (state) => seen.states.push(state),
    onEvent: ({ topic }) => seen.events.push(topic),
    onResync: (topics) => seen.resyncs.push(...topics),
    onSession: (session) => seen.sessions.push(session),
    onPermissions: (version) => seen.permissions.push(version),
  })
  return { channel, ...seen }
}

async function socket(at: number): Promise<Socket> {
  await vi.advanceTimersByTimeAsync(0)
  const opened = Socket.opened[at]
  if (opened === undefined) throw new Error(`Socket ${at} was not opened`)
  opened.dispatchEvent(new Event('open'))
  return opened
}

describe('openLive', () => {
  it('proves itself in the first message and subscribes after the greeting', async () => {
    const { channel, states, events } = start()
    channel.setTopics(['me', 'project:7:payments'])
    const first = await socket(0)
    expect(first.protocol).toBe('kassa.v1')
    expect(first.url).not.toContain('abc')
    expect(first.sent).toMatchObject([{ type: 'auth', token: 'abc' }])
    first.say({ type: 'hello', heartbeatSeconds: 25 })
    expect(first.sent[1]).toMatchObject({ type: 'subscribe', topics: ['me', 'project:7:payments'] })
    first.say({ type: 'event', id: '12', topic: 'project:7:payments', name: 'payment.filled' })
    expect(states).toEqual(['live'])
    expect(events).toEqual(['project:7:payments'])
  })

  it('says with each greeting which permissions the operator has', async () => {
    const { permissions } = start()
    const first = await socket(0)
    first.say({ type: 'hello', permissionsVersion: 'one' })
    first.close()
    await vi.advanceTimersByTimeAsync(1500)
    const second = await socket(1)
    second.say({ type: 'hello', permissionsVersion: 'two' })
    expect(permissions).toEqual(['one', 'two'])
  })

  it('subscribes to new topics and unsubscribes from dropped ones', async () => {
    const { channel } = start()
    channel.setTopics(['me'])
    const first = await socket(0)
    first.say({ type: 'hello' })
    channel.setTopics(['project:8:payments'])
    expect(first.sent.slice(2)).toMatchObject([
      { type: 'unsubscribe', topics: ['me'] },
      { type: 'subscribe', topics: ['project:8:payments'] },
    ])
  })

  it('comes back after a loss and asks for what it missed', async () => {
    const { channel, states } = start()
    channel.setTopics(['me'])
    const first = await socket(0)
    first.say({ type: 'hello' })
    first.say({ type: 'event', id: '40', topic: 'me', name: 'x' })
    first.close()
    expect(states.at(-1)).toBe('reconnecting')
    await vi.advanceTimersByTimeAsync(1500)
    const second = await socket(1)
    second.say({ type: 'hello' })
    expect(second.sent[1]).toMatchObject({ type: 'subscribe', since: '40' })
    expect(states.at(-1)).toBe('live')
  })

  it('falls back to polling when it keeps failing', async () => {
    const { states } = start()
    for (const at of [0, 1, 2]) {
      const opened = await socket(at)
      opened.close()
      await vi.advanceTimersByTimeAsync(40_000)
    }
    expect(states).toContain('polling')
  })

  it('reports that the server does not answer, and reconnects', async () => {
    let isDown = true
    const { states } = start(() =>
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the channel gets the meaning of a reason
      isDown ? Promise.reject('nothing answered') : Promise.resolve({ token: 'abc', serverUrl: 'ws://x/api/v1/ws' }),
    )
    await vi.advanceTimersByTimeAsync(10_000)
    expect(new Set(states)).toEqual(new Set(['unreachable']))
    isDown = false
    await vi.advanceTimersByTimeAsync(30_000)
    const opened = await socket(0)
    opened.say({ type: 'hello' })
    expect(states.at(-1)).toBe('live')
  })

  it('answers pings, and closes after a minute of silence', async () => {
    const { states } = start()
    const first = await socket(0)
    first.say({ type: 'hello' })
    first.say({ type: 'ping', t: 5 })
    expect(first.sent.at(-1)).toEqual({ type: 'pong', t: 5 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(states.at(-1)).not.toBe('live')
  })

  it('stays closed once it is stopped', async () => {
    const { channel } = start()
    const first = await socket(0)
    channel.stop()
    first.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Socket.opened).toHaveLength(1)
  })
})

describe('topicsFor', () => {
  const can = () => true
  const openPayment = undefined

  it('listens to the project on screen, and to its open payment', () => {
    expect(topicsFor({ projectId: '7', openPayment: 'ref', can })).toEqual([
      'me',
      'project:7:payments',
      'project:7:bulk-jobs',
      'project:7:payouts',
      'project:7:referral',
      'project:7:deliveries',
      'sweeps',
      'system:chains',
      'system:workers',
      'system:vaults',
      'project:7:payment:ref',
    ])
  })

  it('listens to figures while they are on screen', () => {
    expect(topicsFor({ projectId: '7', openPayment: undefined, hasFigures: true, can })).toContain(
      'project:7:analytics',
    )
  })

  it('listens to all projects when all are on screen', () => {
    expect(topicsFor({ projectId: 'all', openPayment: 'ref', can })).toEqual([
      'me',
      'project:all:payments',
      'project:all:bulk-jobs',
      'project:all:payouts',
      'project:all:referral',
      'project:all:deliveries',
      'sweeps',
      'system:chains',
      'system:workers',
      'system:vaults',
    ])
  })

  it('asks for nothing the operator may not read', () => {
    expect(topicsFor({ projectId: '7', openPayment, can: (permission) => permission === 'payment:read' })).toEqual([
      'me',
      'project:7:payments',
      'project:7:bulk-jobs',
    ])
    expect(topicsFor({ projectId: '7', openPayment, can: () => false })).toEqual(['me'])
  })

  it('knows which answers an event makes stale', () => {
    expect(staleNouns('project:7:payments')).toContain('payments')
    expect(staleNouns('project:all:payments')).toContain('payments')
    expect(staleNouns('project:7:payment:0192')).toContain('payments')
    expect(staleNouns('project:7:bulk-jobs')).toEqual(['bulk-jobs'])
    expect(staleNouns('me')).toContain('alarms')
    // What another operator does: a pause, a recipient, a setting, an asset switched off.
    expect(staleNouns('me')).toEqual(
      expect.arrayContaining(['payout-policy', 'withdrawals', 'recipients', 'configuration', 'payment-methods']),
    )
    expect(staleNouns('system:chains')).toContain('payment-methods')
    // What a payout takes, a hot wallet no longer holds.
    expect(staleNouns('project:7:payouts')).toContain('wallets')
    expect(staleNouns('system:chains')).toContain('blockchains')
    expect(staleNouns('system:workers')).toEqual(['workers'])
    expect(staleNouns('system:vaults')).toEqual(['vaults', 'alarms', 'attention'])
    expect(staleNouns('unheard:of')).toEqual([])
  })
})

describe('pacedStale', () => {
  it('marks lists stale soon, and of a busy shop once a second, the last event included', () => {
    const forgotten: string[][] = []
    const stale = pacedStale((nouns) => forgotten.push([...nouns]))
    stale(['payments'])
    stale(['attention', 'payments'])
    vi.advanceTimersByTime(250)
    expect(forgotten).toEqual([['payments', 'attention']])
    for (let at = 0; at < 100; at += 1) {
      stale(['payments'])
      vi.advanceTimersByTime(100)
    }
    vi.advanceTimersByTime(1_000)
    // Two searches each time, for ten seconds: fewer than the six a second that a session has.
    expect(forgotten.length).toBeLessThanOrEqual(12)
    expect(forgotten.length).toBeGreaterThanOrEqual(10)
  })
})
