/** Which node to ask, and which not to (money.md 2.8). Pure. */
import type { BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'

import { bestHead, lagOf, type NodeHealth, pausedUntil, restsUntil, scoreOf } from './health-rules.ts'

/** From this score up the preferred node is asked, also when another one does better. */
const GOOD_ENOUGH = 60

/** Blocks behind the best head at which a node is not used any more. */
const MOST_LAG: Readonly<Partial<Record<BlockchainCode, number>>> = { BTC: 1, SOLANA: 50 }
const USUAL_MOST_LAG = 3

/** Calls that check what is known already may use this share of a daily budget; the rest is for the head. */
const AUDIT_SHARE = 0.8

/** A turn asks about this many: a node with fewer calls left today would fail in the middle of one. */
const CALLS_OF_A_TURN = 10

/** `head`: follows the chain. `audit`: checks what is known already, and gives way when a budget grows small. */
export type NodeUse = 'head' | 'audit'

export type Candidate = {
  readonly id: number
  readonly health: NodeHealth
  /** A person must look: it serves another branch. */
  readonly isForked: boolean
  /** It served another network when it was last asked. */
  readonly isRefused: boolean
  readonly maxDailyCalls: number | null
  readonly callsToday: number
}

export type NodeState = 'well' | 'resting' | 'stale' | 'forked' | 'refused'

/** How far behind the best head a node of this blockchain may be. */
export function mostLagOf(code: BlockchainCode): number {
  return MOST_LAG[code] ?? USUAL_MOST_LAG
}

/** How many more calls of a kind a node may be asked today. */
export function callsLeft({ maxDailyCalls, callsToday }: Candidate, use: NodeUse): number {
  if (maxDailyCalls === null) return Number.POSITIVE_INFINITY
  return Math.max(0, Math.floor(maxDailyCalls * (use === 'head' ? 1 : AUDIT_SHARE)) - callsToday)
}

/** Whether the budget of a node lasts for a turn more. */
export function hasCallsLeft(one: Candidate, use: NodeUse): boolean {
  return callsLeft(one, use) >= CALLS_OF_A_TURN
}

/** Says how a node is among the others of its blockchain. */
export function stateOf(one: Candidate, all: readonly Candidate[], mostLag: number, now: number): NodeState {
  if (one.isForked) return 'forked'
  if (one.isRefused) return 'refused'
  if (pausedUntil(one.health, now) !== null || restsUntil(one.health, now) !== null) return 'resting'
  if (!hasCallsLeft(one, 'head')) return 'resting'
  return lagOf(one.health, bestOf(all, now)) > mostLag ? 'stale' : 'well'
}

/** The newest height among the nodes that are on our chain. */
export function bestOf(all: readonly Candidate[], now: number): number | null {
  const trusted = all.filter(({ isForked, isRefused }) => !isForked && !isRefused)
  return bestHead(
    trusted.map(({ health }) => health),
    now,
  )
}

/**
 * Puts the nodes that may be asked into the order to try them: the first of `all` (the preferred one) while its score is good
 * enough, else the best; then those left alone after failures, the one whose pause ends first at the head, because one that
 * failed is still better than none; then those refused before, which must prove themselves again. A node that asked to be
 * left alone, whose budget is spent, that is behind or on another branch is not among them.
 */
export function orderToTry(
  all: readonly Candidate[],
  question: { readonly mostLag: number; readonly now: number; readonly use: NodeUse },
): number[] {
  const { mostLag, now, use } = question
  const place = { best: bestOf(all, now), mostLag }
  const open = all.filter(
    (one) =>
      !one.isForked &&
      restsUntil(one.health, now) === null &&
      hasCallsLeft(one, use) &&
      lagOf(one.health, place.best) <= mostLag,
  )
  const score = new Map(open.map((one) => [one.id, scoreOf(one.health, place)]))
  const isReady = (one: Candidate) => !one.isRefused && pausedUntil(one.health, now) === null
  const [preferred] = all
  const rank = (one: Candidate) =>
    one === preferred && (score.get(one.id) ?? 0) >= GOOD_ENOUGH ? 101 : score.get(one.id)
  const ready = open.filter(isReady).toSorted((a, b) => (rank(b) ?? 0) - (rank(a) ?? 0))
  const paused = open
    .filter((one) => !one.isRefused && !isReady(one))
    .toSorted((a, b) => (pausedUntil(a.health, now) ?? 0) - (pausedUntil(b.health, now) ?? 0))
  return [...ready, ...paused, ...open.filter(({ isRefused }) => isRefused)].map(({ id }) => id)
}

/** What a node said about one height that is final. */
export type FinalWord = { readonly id: number; readonly operator: string; readonly hash: string }

/**
 * Finds the nodes on another branch: those whose hash at a final height differs from the one that most operators, and at
 * least two, agree on. Without such a majority nobody can say who is right: then it is a split and none is set aside.
 */
export function findForked(words: readonly FinalWord[]): {
  readonly forked: readonly number[]
  readonly isSplit: boolean
} {
  const voices = new Map<string, Set<string>>()
  for (const { hash, operator } of words) voices.set(hash, (voices.get(hash) ?? new Set()).add(operator))
  if (voices.size < 2) return { forked: [], isSplit: false }
  const [first, second] = [...voices].toSorted(([, a], [, b]) => b.size - a.size)
  const isMajority = first !== undefined && first[1].size >= 2 && first[1].size > (second?.[1].size ?? 0)
  if (!isMajority) return { forked: [], isSplit: true }
  return { forked: words.filter(({ hash }) => hash !== first[0]).map(({ id }) => id), isSplit: false }
}

/** Second-level names under which strangers register theirs: there the operator is the third label from the end. */
const SHARED_NAMES = new Set(['ac', 'co', 'com', 'edu', 'gov', 'ne', 'net', 'or', 'org'])

/**
 * Names who runs a node, as far as its URL tells: the registered domain of a host name; for an IP address or a name without a
 * dot the host with its port, since whoever uses those runs the programs behind them.
 */
export function operatorOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, hostname } = new URL(url)
  const labels = hostname.split('.')
  const [top = '', name = ''] = labels.toReversed()
  if (labels.length === 1 || hostname.startsWith('[') || /^\d+$/.test(top)) return host
  return labels.slice(top.length === 2 && SHARED_NAMES.has(name) ? -3 : -2).join('.')
}

/** How often a node's head is asked for: several nodes are compared, a single one is only looked after. */
const COMPARED_EVERY_MS = 10_000
const ALONE_EVERY_MS = 60_000

/** Calls of one look at a node: chain id, newest, safe and finalized block. */
const CALLS_OF_A_PROBE = 4

/** The share of a daily budget that looking after a node may use. */
const PROBE_SHARE = 0.1
const DAY_MS = 86_400_000

/** How long to wait between two looks at a node. */
export function probeEveryMs(nodeCount: number, maxDailyCalls: number | null): number {
  const usual = nodeCount > 1 ? COMPARED_EVERY_MS : ALONE_EVERY_MS
  if (maxDailyCalls === null) return usual
  return Math.max(usual, Math.ceil((DAY_MS * CALLS_OF_A_PROBE) / (maxDailyCalls * PROBE_SHARE)))
}
