import type { Fetch } from '@kassa/chains/node/transport.ts'

import type { Egress, EgressResponse } from '../../egress/egress.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/** One request that reached the merchant's server. */
export type Told = {
  readonly eventId: string
  readonly type: string
  readonly sequence: number | null
  readonly reference: string | null
  readonly endpoint: string
  /** What the merchant's server made of it. */
  readonly isAccepted: boolean
}

export type SimulatedReceiver = {
  readonly egress: Egress
  readonly told: readonly Told[]
}

type Options = {
  readonly scheduler: Scheduler
  readonly random: Random
  /** The share of requests that go wrong. */
  readonly flaw: () => number
  readonly arrived: (told: Told) => Promise<void>
  /** The way to nodes, which leads out by the same door. */
  readonly network: Fetch
}

/** Longest a request may take (egress.ts). */
const TIMEOUT_MS = 15_000

/** The merchant's server, and what lies between it and the program. */
export function createReceiver({ scheduler, random, flaw, arrived, network }: Options): SimulatedReceiver {
  const told: Told[] = []
  return {
    told,
    egress: {
      check: () => undefined,
      checkHost: () => undefined,
      connect: async () => Promise.reject(new Error('Nobody sends mail here')),
      refresh: async () => undefined,
      fetch: () => network,
      request: (_purpose, { url, headers, body = '{}' }) =>
        scheduler.point('tells the merchant', async () => {
          const outcome = random.chance(flaw()) ? random.pick(OUTCOMES) : 'accepted'
          const one = read(url, headers, body, outcome === 'accepted' || outcome === 'answer lost')
          scheduler.note(`${one.type} ${one.sequence} ${outcome}`)
          if (outcome !== 'unreachable') {
            told.push(one)
            await arrived(one)
          }
          scheduler.pass(outcome === 'accepted' ? random.between(0, 500) : random.between(0, TIMEOUT_MS))
          return answerOf(outcome)
        }),
    },
  }
}

const OUTCOMES = ['unreachable', 'answer lost', 'refused', 'busy', 'redirect'] as const
type Outcome = (typeof OUTCOMES)[number] | 'accepted'

function answerOf(outcome: Outcome): EgressResponse {
  if (outcome === 'unreachable' || outcome === 'answer lost') throw new Error('The receiver did not answer in time.')
  const status = { accepted: 200, refused: 500, busy: 429, redirect: 302 }[outcome]
  return { status, headers: outcome === 'busy' ? { 'retry-after': '30' } : {}, body: '' }
}

function read(url: string, headers: Readonly<Record<string, string>>, body: string, isAccepted: boolean): Told {
  const message = JSON.parse(body) as { event_type?: string; sequence?: number; reference_id?: string }
  return {
    eventId: headers['webhook-id'] ?? '',
    type: message.event_type ?? '',
    sequence: message.sequence ?? null,
    reference: message.reference_id ?? null,
    endpoint: url,
    isAccepted,
  }
}
