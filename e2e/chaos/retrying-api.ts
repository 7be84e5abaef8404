/** Calls that a server may be down for: they are repeated until it is up, and take effect once. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import type { Route, RouteCall } from '@kassa/contract/kit/route.ts'

import { type Api, apiOf, Refused, type Wire } from '../api.ts'

/** Several restarts in a row on a busy machine: a call may meet each of them. */
const TIMEOUT_MS = 300_000

/** Answers of a server that is on its way down or up, or asks to wait; every other status is the answer. */
const PASSING = new Set([429, 502, 503])

export type RetryOptions = {
  /** The servers to ask, in turn. */
  readonly urls: readonly string[]
  readonly key?: string
  /** Asks as another customer each time, so that the limits of one address do not slow everybody down. */
  readonly isCrowd?: boolean
  /** Names no call, as clients that know nothing of idempotency keys: the server has to notice the same call. */
  readonly isBlind?: boolean
}

/** Calls as `apiOf`, at the next server when one does not answer; a write carries the same idempotency key each time. */
export function retryingApi({ urls, key, isCrowd = false, isBlind = false }: RetryOptions): Api {
  let turn = 0
  return async <R extends Route>(route: R, input: RouteCall<R> = {}): Promise<Wire<R>> => {
    const headers = {
      ...(!isBlind && { 'idempotency-key': randomUUID() }),
      ...(isCrowd && { 'x-forwarded-for': crowdAddress() }),
    }
    const deadline = performance.now() + TIMEOUT_MS
    for (;;) {
      turn += 1
      const url = urls[turn % urls.length] ?? ''
      try {
        return await apiOf(url, key, headers)(route, input)
      } catch (error) {
        if (!isPassing(error) || performance.now() > deadline) throw error
        await pause(100)
      }
    }
  }
}

/** Whether the same call may be answered well a moment later. */
export function isPassing(error: unknown): boolean {
  return error instanceof Refused ? PASSING.has(error.status) : error instanceof TypeError
}

let visitors = 0

/** An address of the range for benchmarks (RFC 2544), another one at each call. */
function crowdAddress(): string {
  visitors += 1
  return `198.18.${Math.floor(visitors / 250) % 250}.${(visitors % 250) + 1}`
}
