/** Token buckets (api.md 1.7). Those that guard passwords are shared by all processes; the rest live in memory. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { RateClass, Route } from '@kassa/contract/kit/route.ts'

import type { Caller, Context } from '../../context.ts'
import { networkOf } from '../../networks.ts'
import { takeSharedToken } from './store.ts'

type Limit = { readonly perSecond: number; readonly burst: number; readonly shared: boolean }

/** Sustained rate and burst per class; the numbers are api.md's defaults. */
export const LIMITS: Readonly<Record<RateClass, Limit>> = {
  auth: { perSecond: 1, burst: 30, shared: true },
  reset: { perSecond: 30 / 3600, burst: 30, shared: true },
  otp: { perSecond: 5 / 600, burst: 5, shared: true },
  'merchant-write': { perSecond: 50, burst: 100, shared: false },
  'payout-write': { perSecond: 10, burst: 20, shared: true },
  'merchant-read': { perSecond: 100, burst: 200, shared: false },
  'checkout-read': { perSecond: 10, burst: 60, shared: false },
  'checkout-write': { perSecond: 0.5, burst: 30, shared: false },
  dashboard: { perSecond: 30, burst: 100, shared: false },
  heavy: { perSecond: 6, burst: 30, shared: false },
  egress: { perSecond: 0.2, burst: 12, shared: false },
  diagnose: { perSecond: 0.1, burst: 6, shared: false },
  system: { perSecond: 20, burst: 40, shared: false },
}

export type RateState = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

type Bucket = { tokens: number; filledAt: number }

/** The most buckets in memory; beyond it the fullest are dropped first, because they limit least. */
const MAX_BUCKETS = 50_000

export type RateLimiter = (ctx: Context, rate: RateClass, subject: string) => Promise<RateState>

/** Creates the limiter of one process; `factor` raises or lowers every class as a whole. */
export function createRateLimiter({ factor = 1 } = {}): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return async (ctx, rate, subject) => {
    const limit = { ...LIMITS[rate], perSecond: LIMITS[rate].perSecond * factor, burst: LIMITS[rate].burst * factor }
    const name = `${rate}:${subject}`
    if (limit.shared) {
      const wait = await takeSharedToken(ctx, name, limit)
      return wait > 0 ? refuse(wait) : { limit: limit.burst, remaining: 0, resetSeconds: 1 }
    }
    return takeLocalToken(buckets, name, limit, ctx.now().getTime())
  }
}

/** Classes of public routes that bound how often a network may guess what signs in, with or without a credential. */
const BY_NETWORK: ReadonlySet<RateClass> = new Set(['auth', 'reset'])

/** Whose bucket a class uses: the credential's when there is one, else the address's. */
export function rateSubject(caller: Caller | null, ip: string, route?: Pick<Route, 'rate' | 'access'>): string {
  if (route?.access.public && BY_NETWORK.has(route.rate)) return `ip:${networkOf(ip)}`
  if (caller?.kind === 'key') return `key:${caller.keyId}`
  if (caller?.kind === 'device') return `device:${caller.deviceId}`
  if (caller?.kind === 'promoter') return `promoter:${caller.referrerId}`
  return caller?.kind === 'operator' ? `session:${caller.sessionId}` : `ip:${networkOf(ip)}`
}

function takeLocalToken(buckets: Map<string, Bucket>, name: string, limit: Limit, now: number): RateState {
  const bucket = buckets.get(name) ?? { tokens: limit.burst, filledAt: now }
  const refilled = bucket.tokens + (Math.max(0, now - bucket.filledAt) / 1000) * limit.perSecond
  bucket.tokens = Math.min(limit.burst, refilled)
  bucket.filledAt = now
  if (!buckets.has(name)) makeRoom(buckets)
  buckets.set(name, bucket)
  if (bucket.tokens < 1) return refuse(Math.ceil((1 - bucket.tokens) / limit.perSecond))
  bucket.tokens -= 1
  const resetSeconds = Math.ceil((limit.burst - bucket.tokens) / limit.perSecond)
  return { limit: limit.burst, remaining: Math.floor(bucket.tokens), resetSeconds }
}

function makeRoom(buckets: Map<string, Bucket>): void {
  if (buckets.size < MAX_BUCKETS) return
  const [oldest] = buckets.keys()
  if (oldest !== undefined) buckets.delete(oldest)
}

function refuse(seconds: number): never {
  return fail('RATE_LIMITED', { values: { seconds }, retryAfter: seconds })
}
