import type { Readiness } from '@kassa/contract/payments/schemas.ts'
import { dueUnits, type Price, usdForUnits } from '@kassa/primitives/money/rate.ts'

/** A network this slow to follow keeps payers waiting without a word (money.md 2.10); Bitcoin's blocks are rare anyway. */
const BEHIND_SECONDS = { usual: 60, BTC: 1_800 } as const

/** A network as far as a project's payments are concerned. */
export type ChainFacts = {
  readonly code: string
  readonly name: string
  readonly family: string
  readonly isActive: boolean
  readonly hasNode: boolean
  readonly blockSeconds: number
  /** Why it stands still, when it does. */
  readonly reason: string | null
  /** Null before its first block was read. */
  readonly lagBlocks: number | null
}

export type ReadinessFacts = {
  readonly hasSiteUrl: boolean
  readonly chains: readonly ChainFacts[]
  /** Codes of networks on which the project accepts something. */
  readonly acceptedChains: ReadonlySet<string>
  /** Families for which the project has a deposit wallet. */
  readonly linkedFamilies: ReadonlySet<string>
}

type Missing = Readiness['missing'][number]

/** What is said of readiness before any price is asked for. */
export type Judgement = Omit<Readiness, 'leastAmountInUSD'>

/** Says whether a project can take payments: ready as soon as one network works; what is missing, when none does. */
export function judgeReadiness(facts: ReadinessFacts): Judgement {
  const chains = facts.chains.filter(({ code, isActive }) => isActive && facts.acceptedChains.has(code))
  const isPayable = chains.some(({ hasNode, family }) => hasNode && facts.linkedFamilies.has(family))
  const missing = [...(facts.hasSiteUrl ? [] : [SITE_URL]), ...(isPayable ? [] : whatIsMissing(facts, chains))]
  return {
    ready: missing.length === 0,
    missing,
    chains: chains.map((chain) => {
      const reasons = reasonsOf(chain, facts.linkedFamilies)
      return { blockchainCode: chain.code, ready: reasons.length === 0, lagBlocks: chain.lagBlocks, reasons }
    }),
  }
}

/** Why payments on a network would not be noticed, or not in time; nothing when they are. */
export function watchReasons(chain: ChainFacts): string[] {
  if (!chain.isActive) return ['It is switched off.']
  if (!chain.hasNode) return ['It has no node.']
  if (chain.reason !== null) return [chain.reason]
  if (chain.lagBlocks === null) return [`${chain.name} is not read yet.`]
  const allowed = chain.code === 'BTC' ? BEHIND_SECONDS.BTC : BEHIND_SECONDS.usual
  const isBehind = chain.lagBlocks * chain.blockSeconds > allowed
  return isBehind ? [`${chain.name} answers slowly: ${chain.lagBlocks} blocks behind.`] : []
}

/** Says why a payment that waits for its network is not looked at; which node failed how is for operators alone. */
export function waitText(chain: ChainFacts, isOwnAddress: boolean): string | null {
  const [reason] = watchReasons(chain)
  if (reason === undefined) return null
  const text = `${chain.name} is not followed right now. Money on its way is found and confirmed as soon as it is again; none is lost.`
  return isOwnAddress ? `${text} Why: ${reason}` : text
}

function reasonsOf(chain: ChainFacts, linkedFamilies: ReadonlySet<string>): string[] {
  return [...watchReasons(chain), ...(linkedFamilies.has(chain.family) ? [] : ['No deposit wallet is linked.'])]
}

const SITE_URL: Missing = {
  kind: 'site_url',
  text: 'Set the address under which people reach this server.',
  fixPath: '/settings/system',
}

function whatIsMissing({ chains }: ReadinessFacts, accepted: readonly ChainFacts[]): Missing[] {
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

/** What is due is rounded up to the quote step (P-1): a little less than the minimum's worth may already be enough. */
function leastCentsOf({ minDepositUnits, decimals, price }: LeastFacts & { readonly price: Price }): bigint {
  const worth = usdForUnits({ units: minDepositUnits, price, decimals, rounding: 'up' })
  let cents = (worth + CENT - 1n) / CENT
  while (cents > 1n && dueUnits({ usd: (cents - 1n) * CENT, price, decimals }) >= minDepositUnits) cents -= 1n
  return cents
}
