import type { Readiness } from '@kassa/contract/payments/schemas.ts'
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
  /** Why it is halted, when it is. */
  readonly reason: string | null
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
}

type Missing = Readiness['missing'][number]

/** Why a network does not take payments. */
type Reason = Readiness['chains'][number]['reasons'][number]

/** What is said of readiness before any price is asked for. */
export type Judgement = Omit<Readiness, 'leastAmountInUSD'>

/** Judges whether a project can take payments: ready as soon as one network works; otherwise lists what is missing. */
export function judgeReadiness(facts: ReadinessFacts): Judgement {
  const missing = missingFor(facts)
  return {
    ready: missing.length === 0,
    missing,
    chains: acceptedOf(facts).map((chain) => {
      const reasons = reasonsOf(chain, facts.linkedFamilies)
      return { blockchainCode: chain.code, ready: reasons.length === 0, lagBlocks: chain.lagBlocks, reasons }
    }),
  }
}

/** Lists what a project lacks before it can take payments; nothing as soon as one network works. */
export function missingFor(facts: ReadinessFacts<NetworkFacts>): Missing[] {
  const chains = acceptedOf(facts)
  const isPayable = chains.some(({ hasNode, family }) => hasNode && facts.linkedFamilies.has(family))
  return [...(facts.hasSiteUrl ? [] : [SITE_URL]), ...(isPayable ? [] : whatIsMissing(facts, chains))]
}

function acceptedOf<Network extends NetworkFacts>({ chains, acceptedChains }: ReadinessFacts<Network>): Network[] {
  return chains.filter(({ code, isActive }) => isActive && acceptedChains.has(code))
}

/** Why payments on a network would not be noticed, or not in time; nothing when they are. */
export function watchReasons(chain: ChainFacts): Reason[] {
  if (!chain.isActive) return [{ kind: 'switched_off', text: 'It is switched off.' }]
  if (!chain.hasNode) return [{ kind: 'no_node', text: 'It has no node.' }]
  if (chain.reason !== null) return [{ kind: 'stopped', text: chain.reason }]
  if (chain.lagBlocks === null) return [{ kind: 'not_read', text: `${chain.name} is not read yet.` }]
  const allowed = chain.code === 'BTC' ? BEHIND_SECONDS.BTC : BEHIND_SECONDS.usual
  const isBehind = chain.lagBlocks * chain.blockSeconds > allowed
  if (!isBehind) return []
  return [{ kind: 'behind', text: `${chain.name} answers slowly: ${chain.lagBlocks} blocks behind.` }]
}

/** Explains why a payment waits for its network; the failing node is named to the merchant only. */
export function waitText(chain: ChainFacts, isForMerchant: boolean): string | null {
  const [reason] = watchReasons(chain)
  if (reason === undefined) return null
  const text = `${chain.name} is not followed right now. Money on its way is found and confirmed as soon as it is again; none is lost.`
  return isForMerchant ? `${text} Why: ${reason.text}` : text
}

function reasonsOf(chain: ChainFacts, linkedFamilies: ReadonlySet<string>): Reason[] {
  const reasons = watchReasons(chain)
  if (linkedFamilies.has(chain.family)) return reasons
  return [...reasons, { kind: 'no_wallet', text: 'No deposit wallet is linked.' }]
}

const SITE_URL: Missing = {
  kind: 'site_url',
  text: 'Set the address under which people reach this server.',
  fixPath: '/settings/system',
}

function whatIsMissing({ chains }: ReadinessFacts<NetworkFacts>, accepted: readonly NetworkFacts[]): Missing[] {
  if (!chains.some(({ isActive, hasNode }) => isActive && hasNode)) {
    return [{ kind: 'node', text: 'Add a node for at least one network.', fixPath: '/settings/blockchains' }]
  }
  const served = accepted.filter(({ hasNode }) => hasNode)
  if (served.length === 0) {
    return [
      { kind: 'asset', text: 'Accept a currency on a network that has a node.', fixPath: '/settings/payment-methods' },
    ]
  }
  return [...new Set(served.map(({ family }) => family))].map((family) => ({
    kind: 'wallet',
    family,
    text: `Add a deposit wallet for ${served
      .filter((chain) => chain.family === family)
      .map(({ name }) => name)
      .join(', ')}.`,
    fixPath: '/manageWallet/deposit-wallet',
  }))
}

/** Micro-dollars of a cent. */
const CENT = 10_000n

/** The least of a payment method, in its smallest units, and the price of it, null while there is none to trust. */
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
