import { STOP_REASONS } from '@kassa/contract/blockchains/reading-reasons.ts'
import { type Cause, type Reason, textOf, withText } from '@kassa/contract/kit/reason.ts'
import { MISSING, NETWORK_OBSTACLES, PAYMENT_WAITS } from '@kassa/contract/payments/readiness-reasons.ts'
import type { NetworkObstacle, Readiness } from '@kassa/contract/payments/readiness.ts'
import { dueUnits, type Price, usdForUnits } from '@kassa/primitives/money/rate.ts'

/** Lag from which a network is reported, because payers would wait without a reason (money.md 2.10); Bitcoin's blocks are rare anyway. */
const BEHIND_SECONDS = { usual: 60, BTC: 1_800 } as const

/** A network as its operators set it up. */
export type NetworkFacts = {
  readonly code: string
  readonly name: string
  readonly family: string
  readonly isActive: boolean
  readonly hasNode: boolean
}

/** A network as far as a project's payments are concerned. */
export type ChainFacts = NetworkFacts & {
  readonly blockSeconds: number
  /** Why it is not read; null while it is. */
  readonly stopped: Cause<typeof STOP_REASONS> | null
  /** Null before its first block was read. */
  readonly lagBlocks: number | null
}

export type ReadinessFacts<Network extends NetworkFacts = ChainFacts> = {
  readonly hasSiteUrl: boolean
  readonly chains: readonly Network[]
  /** Codes of networks on which the project accepts something. */
  readonly acceptedChains: ReadonlySet<string>
  /** Families for which the project has a deposit wallet. */
  readonly linkedFamilies: ReadonlySet<string>
  /** Families whose address list is used up: customers keep their addresses, and no customer gets a new one. */
  readonly usedUpFamilies?: ReadonlySet<string>
}

type Missing = Readiness['missing'][number]

/** What readiness can say before any price is known. */
export type Judgement = Omit<Readiness, 'leastAmountInUSD'>

/** Judges whether a project can take payments: ready as soon as one network works; otherwise lists what is missing. */
export function judgeReadiness(facts: ReadinessFacts): Judgement {
  const lacking = missingFor(facts)
  return {
    ready: lacking.length === 0,
    missing: lacking,
    chains: acceptedOf(facts).map((chain) => {
      const reasons = reasonsOf(chain, facts)
      return { blockchainCode: chain.code, ready: reasons.length === 0, lagBlocks: chain.lagBlocks, reasons }
    }),
  }
}

/** Lists what a project lacks before it can take payments; nothing as soon as one network works. */
export function missingFor(facts: ReadinessFacts<NetworkFacts>): Missing[] {
  const chains = acceptedOf(facts)
  const isPayable = chains.some(({ hasNode, family }) => hasNode && facts.linkedFamilies.has(family))
  return [
    ...(facts.hasSiteUrl ? [] : [missing({ code: 'site_url', params: {} })]),
    ...(isPayable ? [] : whatIsMissing(facts, chains)),
  ]
}

function acceptedOf<Network extends NetworkFacts>({ chains, acceptedChains }: ReadinessFacts<Network>): Network[] {
  return chains.filter(({ code, isActive }) => isActive && acceptedChains.has(code))
}

/** Why payments on a network would not be noticed, or not in time; nothing when they are. */
export function watchReasons(chain: ChainFacts): Cause<typeof NETWORK_OBSTACLES>[] {
  if (!chain.isActive) return [{ code: 'switched_off', params: {} }]
  if (!chain.hasNode) return [{ code: 'no_node', params: {} }]
  if (chain.stopped !== null) {
    const cause = withText(STOP_REASONS, chain.stopped)
    return [{ code: 'stopped', params: { reason: cause.text, cause } }]
  }
  if (chain.lagBlocks === null) return [{ code: 'not_read', params: { network: chain.name } }]
  const allowed = chain.code === 'BTC' ? BEHIND_SECONDS.BTC : BEHIND_SECONDS.usual
  const isBehind = chain.lagBlocks * chain.blockSeconds > allowed
  if (!isBehind) return []
  return [{ code: 'behind', params: { network: chain.name, lagBlocks: chain.lagBlocks } }]
}

/** Explains why a payment waits for its network; the failing node is named to the merchant only. */
export function waitsFor(chain: ChainFacts, isForMerchant: boolean): Reason<typeof PAYMENT_WAITS> | null {
  const [cause] = watchReasons(chain)
  if (cause === undefined) return null
  const obstacle = isForMerchant ? obstacleOf(cause) : null
  return withText(PAYMENT_WAITS, { code: 'network_not_followed', params: { network: chain.name, obstacle } })
}

function reasonsOf(chain: ChainFacts, { linkedFamilies, usedUpFamilies }: ReadinessFacts): NetworkObstacle[] {
  const causes = watchReasons(chain)
  if (!linkedFamilies.has(chain.family)) causes.push({ code: 'no_wallet', params: {} })
  else if (usedUpFamilies?.has(chain.family)) causes.push({ code: 'no_addresses', params: {} })
  return causes.map(obstacleOf)
}

function obstacleOf(cause: Cause<typeof NETWORK_OBSTACLES>): NetworkObstacle {
  return { kind: cause.code, params: cause.params, text: textOf(NETWORK_OBSTACLES, cause) }
}

/** Where in the dashboard each is fixed. */
const FIX_PATHS: Readonly<Record<Missing['kind'], string>> = {
  site_url: '/settings/system',
  node: '/settings/blockchains',
  asset: '/settings/payment-methods',
  wallet: '/manageWallet/deposit-wallet',
}

function missing(cause: Cause<typeof MISSING>, family?: string): Missing {
  const { code: kind, params } = cause
  return { kind, params, ...(family && { family }), text: textOf(MISSING, cause), fixPath: FIX_PATHS[kind] }
}

function whatIsMissing({ chains: all }: ReadinessFacts<NetworkFacts>, accepted: readonly NetworkFacts[]): Missing[] {
  if (!all.some(({ isActive, hasNode }) => isActive && hasNode)) {
    return [missing({ code: 'node', params: {} })]
  }
  const served = accepted.filter(({ hasNode }) => hasNode)
  if (served.length === 0) return [missing({ code: 'asset', params: {} })]
  return [...Map.groupBy(served, ({ family }) => family)].map(([family, chains]) =>
    missing({ code: 'wallet', params: { networks: chains.map(({ name }) => name) } }, family),
  )
}

/** Micro-dollars of a cent. */
const CENT = 10_000n

/** The smallest payment of a method, in its smallest units, and its price; null while no price can be trusted. */
export type LeastFacts = { readonly minDepositUnits: bigint; readonly decimals: number; readonly price: Price | null }

/** Returns the cents below which no method can be paid with; null where the price of one is not known. */
export function leastCents(methods: readonly LeastFacts[]): bigint | null {
  let least: bigint | null = null
  for (const { minDepositUnits, decimals, price } of methods) {
    if (price === null) return null
    const cents = leastCentsOf({ minDepositUnits, decimals, price })
    if (least === null || cents < least) least = cents
  }
  return least
}

/** The amount due is rounded up to the quote step (P-1), so slightly less than the minimum's value may already be enough. */
function leastCentsOf({ minDepositUnits, decimals, price }: LeastFacts & { readonly price: Price }): bigint {
  const value = usdForUnits({ units: minDepositUnits, price, decimals, rounding: 'up' })
  let cents = (value + CENT - 1n) / CENT
  while (cents > 1n && dueUnits({ usd: (cents - 1n) * CENT, price, decimals }) >= minDepositUnits) cents -= 1n
  return cents
}
