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
  typing: { perSecond: 10, burst: 40, shared: false },
  egress: { perSecond: 0.2, burst: 12, shared: false },
  diagnose: { perSecond: 0.1, burst: 6, shared: false },
  'test-payment': { perSecond: 0.1, burst: 6, shared: false },
  system: { perSecond: 20, burst: 40, shared: false },
}

/** A payment link is known to many: its own bucket bounds what all of them write together, whatever networks they come from. */
const BY_REFERENCE: Readonly<Partial<Record<RateClass, Pick<Limit, 'perSecond' | 'burst'>>>> = {
  'checkout-write': { perSecond: 20 / 60, burst: 20 },
  // A second press pays nothing before the first one was seen.
  'test-payment': { perSecond: 4 / 60, burst: 1 },
}

/** References are shorter; what is longer names no payment. In capitals they name the same one. */
const MAX_REFERENCE = 64

export type RateState = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

type Bucket = { tokens: number; filledAt: number }

/** Buckets by their names, those asked longest ago first. */
type Buckets = { readonly known: Map<string, Bucket>; readonly most: number }

/** The most buckets in memory; beyond it those asked longest ago are dropped, because they have refilled the most. */
const MOST_BUCKETS = 50_000

/** Counts a call of a subject and, in classes that count them, of the payment whose `reference` it is about. @throws RATE_LIMITED */
export type RateLimiter = (ctx: Context, rate: RateClass, subject: string, reference?: string) => Promise<RateState>

/** Creates the limiter of one process; `factor` raises or lowers every class as a whole. */
export function createRateLimiter({ factor = 1, mostBuckets = MOST_BUCKETS } = {}): RateLimiter {
  const buckets: Buckets = { known: new Map(), most: mostBuckets }
  const scaled = ({ perSecond, burst }: Pick<Limit, 'perSecond' | 'burst'>) => ({
    perSecond: perSecond * factor,
    burst: burst * factor,
  })
  return async (ctx, rate, subject, reference) => {
    const limit = scaled(LIMITS[rate])
    const name = `${rate}:${subject}`
    if (LIMITS[rate].shared) {
      const wait = await takeSharedToken(ctx, name, limit)
      return wait > 0 ? refuse(wait) : { limit: limit.burst, remaining: 0, resetSeconds: 1 }
    }
    const byReference = reference === undefined ? undefined : BY_REFERENCE[rate]
    const counted = [
      { name, limit },
      ...(byReference
        ? [{ name: `${rate}:ref:${reference?.slice(0, MAX_REFERENCE).toLowerCase()}`, limit: scaled(byReference) }]
        : []),
    ]
    return takeLocalTokens(buckets, counted, ctx.now().getTime())
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

type Counted = { readonly name: string; readonly limit: Pick<Limit, 'perSecond' | 'burst'> }

/** Takes a token of each bucket, or of none when one is empty; returns the state of the one with the fewest. @throws RATE_LIMITED */
function takeLocalTokens(buckets: Buckets, counted: readonly Counted[], now: number): RateState {
  const filled = counted.map(({ name, limit }) => ({ name, limit, bucket: fill(buckets, name, limit, now) }))
  const waits = filled.map(({ bucket, limit }) =>
    bucket.tokens < 1 ? Math.ceil((1 - bucket.tokens) / limit.perSecond) : 0,
  )
  const longest = Math.max(...waits)
  // A bucket that a refused call names first is not kept: callers make up references, and would push others out of memory.
  if (longest > 0) return refuse(longest)
  for (const { name, bucket } of filled) {
    bucket.tokens -= 1
    keep(buckets, name, bucket)
  }
  const states = filled.map(({ bucket, limit: { burst, perSecond } }) => ({
    limit: burst,
    remaining: Math.floor(bucket.tokens),
    resetSeconds: Math.ceil((burst - bucket.tokens) / perSecond),
  }))
  return states.reduce((fewest, one) => (one.remaining < fewest.remaining ? one : fewest))
}

/** The bucket of a name with what has flowed in since it was last asked; a full one when there is none. */
function fill({ known }: Buckets, name: string, limit: Counted['limit'], now: number): Bucket {
  const bucket = known.get(name)
  if (!bucket) return { tokens: limit.burst, filledAt: now }
  const refilled = bucket.tokens + (Math.max(0, now - bucket.filledAt) / 1000) * limit.perSecond
  bucket.tokens = Math.min(limit.burst, refilled)
  bucket.filledAt = now
  // Behind all others, whether or not it has a token: who is refused is limited most.
  known.delete(name)
  known.set(name, bucket)
  return bucket
}

function keep({ known, most }: Buckets, name: string, bucket: Bucket): void {
  known.set(name, bucket)
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
}

function refuse(seconds: number): never {
  return fail('RATE_LIMITED', { values: { seconds }, retryAfter: seconds })
}
