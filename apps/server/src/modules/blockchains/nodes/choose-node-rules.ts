/** Which node to use (money.md 2.8): the preferred one while its score is good enough, else the best of the others. Pure. */
import type { Blockchain, NetworkMode } from '@kassa/primitives/chains/blockchain.ts'

import {
  bestHead,
  lagOf,
  type NodeHealth,
  backoffUntil,
  busyUntil,
  recentHead,
  scoreOf,
  type SeenHead,
} from './health-rules.ts'

/** With this score or more, the preferred node is used even when another one scores higher. */
const GOOD_ENOUGH = 60

/** A node this many blocks behind the best head is not used any more. */
const USUAL_MOST_LAG = 3

/** The same where a block takes minutes: two of them are too much time. */
const MOST_LAG_OF_SLOW = 1
const SLOW_SECONDS = 60

/** Where blocks take less than a second, three of them pass between two answers: seconds count instead. */
const MOST_LAG_SECONDS = 20

/** Audits may use this share of a daily budget; the rest is reserved for the head. */
const AUDIT_SHARE = 0.8

/** A poll makes about this many calls: a node with fewer calls left today would fail in the middle of one. */
const CALLS_PER_POLL = 10

/** `head`: follows the chain. `audit`: checks known data again, and stops first when a budget runs low. */
export type NodeUse = 'head' | 'audit'

export type Candidate = {
  readonly id: number
  readonly health: NodeHealth
  /** Forked: it serves another branch, and an operator must check it. */
  readonly isForked: boolean
  /** It served another network when it was last identified. */
  readonly isRefused: boolean
  readonly maxDailyCalls: number | null
  readonly callsToday: number
}

export type NodeState = 'healthy' | 'backoff' | 'lagging' | 'ahead' | 'forked' | 'wrong_network'

/** `blockMs`: the time between two blocks; null where blocks are made on demand, so that time says nothing about heads. */
export type Pace = { readonly mostLag: number; readonly blockMs: number | null }

/** How many blocks a node may lag behind the best head of a blockchain with such blocks. */
export function mostLagOf(blockSeconds: number): number {
  if (blockSeconds < 1) return Math.round(MOST_LAG_SECONDS / blockSeconds)
  return blockSeconds < SLOW_SECONDS ? USUAL_MOST_LAG : MOST_LAG_OF_SLOW
}

/** How fast a blockchain grows in a network mode. */
export function paceOf({ blockSeconds }: Pick<Blockchain, 'blockSeconds'>, mode: NetworkMode): Pace {
  return { mostLag: mostLagOf(blockSeconds), blockMs: mode === 'sandbox' ? null : blockSeconds * 1_000 }
}

/** How many more calls of a kind a node may receive today. */
export function callsLeft({ maxDailyCalls, callsToday }: Candidate, use: NodeUse): number {
  if (maxDailyCalls === null) return Number.POSITIVE_INFINITY
  return Math.max(0, Math.floor(maxDailyCalls * (use === 'head' ? 1 : AUDIT_SHARE)) - callsToday)
}

/** Whether the budget of a node is enough for one more poll. */
export function hasCallsLeft(one: Candidate, use: NodeUse): boolean {
  return callsLeft(one, use) >= CALLS_PER_POLL
}

/** The state of a node among the others of its blockchain. */
export function stateOf(one: Candidate, all: readonly Candidate[], pace: Pace, now: number): NodeState {
  if (one.isForked) return 'forked'
  if (one.isRefused) return 'wrong_network'
  if (backoffUntil(one.health, now) !== null || busyUntil(one.health, now) !== null) return 'backoff'
  if (!hasCallsLeft(one, 'head')) return 'backoff'
  if (aheadOf(all, pace, now).has(one.id)) return 'ahead'
  return lagOf(one.health, bestOf(all, pace, now)) > pace.mostLag ? 'lagging' : 'healthy'
}

/** The newest height among the nodes that are on our chain and claim no more than time allows. */
export function bestOf(all: readonly Candidate[], pace: Pace, now: number): number | null {
  const ahead = aheadOf(all, pace, now)
  const trusted = onOurChain(all).filter(({ id }) => !ahead.has(id))
  return bestHead(
    trusted.map(({ health }) => health),
    now,
  )
}

/**
 * The nodes that claim a head so far above the next lower one that time does not allow it, by how many blocks. Such a claim
 * would make every honest node look outdated.
 */
export function aheadOf(all: readonly Candidate[], pace: Pace, now: number): ReadonlyMap<number, number> {
  const heads = onOurChain(all).flatMap(({ id, health }) => {
    const head = recentHead(health, now)
    return head ? [{ id, ...head }] : []
  })
  const ahead = new Map<number, number>()
  heads.sort((a, b) => b.height - a.height)
  for (const [at, claim] of heads.entries()) {
    const next = heads[at + 1]
    if (!next || pace.blockMs === null || claim.height - next.height <= mostAbove(next, claim, pace)) break
    ahead.set(claim.id, claim.height - next.height)
  }
  return ahead
}

/** How many blocks one head may be above another: twice what is usual since the lower one was mined, and what counts as no lag. */
function mostAbove(lower: SeenHead, higher: SeenHead, { mostLag, blockMs }: Pace): number {
  const sinceMs = Math.max(0, higher.seenAt - lower.minedAt)
  return mostLag + Math.max(1, Math.ceil((2 * sinceMs) / (blockMs ?? 1)))
}

function onOurChain(all: readonly Candidate[]): Candidate[] {
  return all.filter(({ isForked, isRefused }) => !isForked && !isRefused)
}

/**
 * Orders the nodes that may be used now. First comes the preferred node (the first of `all`) while its score is good enough,
 * then the others by score; then nodes in backoff, at the head the one whose backoff ends first, because a node that failed is
 * still better than none; then those that claim a head too far ahead, and those that served another network, which must
 * identify themselves again. It leaves out nodes that are busy, without budget, lagging or forked.
 */
export function orderToTry(
  all: readonly Candidate[],
  question: Pace & { readonly now: number; readonly use: NodeUse },
): number[] {
  const { mostLag, now, use } = question
  const place = { best: bestOf(all, question, now), mostLag }
  const ahead = aheadOf(all, question, now)
  const open = all.filter(
    (one) =>
      !one.isForked &&
      busyUntil(one.health, now) === null &&
      hasCallsLeft(one, use) &&
      lagOf(one.health, place.best) <= mostLag,
  )
  const score = new Map(open.map((one) => [one.id, scoreOf(one.health, place)]))
  const isTrusted = (one: Candidate) => !one.isRefused && !ahead.has(one.id)
  const isReady = (one: Candidate) => isTrusted(one) && backoffUntil(one.health, now) === null
  const [preferred] = all
  const rank = (one: Candidate) =>
    one === preferred && (score.get(one.id) ?? 0) >= GOOD_ENOUGH ? 101 : score.get(one.id)
  const ready = open.filter(isReady).toSorted((a, b) => (rank(b) ?? 0) - (rank(a) ?? 0))
  const paused = open
    .filter((one) => isTrusted(one) && !isReady(one))
    .toSorted((a, b) => (backoffUntil(a.health, now) ?? 0) - (backoffUntil(b.health, now) ?? 0))
  const rest = open.filter((one) => !isTrusted(one)).toSorted((a, b) => Number(a.isRefused) - Number(b.isRefused))
  return [...ready, ...paused, ...rest].map(({ id }) => id)
}

/** The hash one node reports at a final height. */
export type FinalAnswer = { readonly id: number; readonly operator: string; readonly hash: string }

/**
 * Finds the forked nodes: those whose hash at a final height differs from the hash that most operators, and at least
 * two, report. Without such a majority it is a split, and no node is marked, because either side may be right.
 */
export function findForked(answers: readonly FinalAnswer[]): {
  readonly forked: readonly number[]
  readonly isSplit: boolean
} {
  const votes = new Map<string, Set<string>>()
  for (const { hash, operator } of answers) votes.set(hash, (votes.get(hash) ?? new Set()).add(operator))
  if (votes.size < 2) return { forked: [], isSplit: false }
  const [first, second] = [...votes].toSorted(([, a], [, b]) => b.size - a.size)
  const isMajority = first !== undefined && first[1].size >= 2 && first[1].size > (second?.[1].size ?? 0)
  if (!isMajority) return { forked: [], isSplit: true }
  return { forked: answers.filter(({ hash }) => hash !== first[0]).map(({ id }) => id), isSplit: false }
}

/** Second-level domains under which anybody can register: the operator is then the third label from the end. */
const SHARED_NAMES = new Set(['ac', 'co', 'com', 'edu', 'gov', 'ne', 'net', 'or', 'org'])

/**
 * Names the operator of a node, as far as its URL shows it: the registered domain of a host name. For an IP address, or a name
 * without a dot, it is the host with its port, because such nodes run on the operator's own network.
 */
export function operatorOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, hostname } = new URL(url)
  const labels = hostname.split('.')
  const [top = '', name = ''] = labels.toReversed()
  if (labels.length === 1 || hostname.startsWith('[') || /^\d+$/.test(top)) return host
  return labels.slice(top.length === 2 && SHARED_NAMES.has(name) ? -3 : -2).join('.')
}

/** How often a node's head is read: often where several nodes are compared, seldom for a single one. */
const COMPARED_EVERY_MS = 10_000
const ALONE_EVERY_MS = 60_000

/** Calls of one probe of a node: chain id, newest, safe and finalized block. */
const CALLS_OF_A_PROBE = 4

/** The share of a daily budget that probing a node may use. */
const PROBE_SHARE = 0.1
const DAY_MS = 86_400_000

/** How long to wait between two probes of a node. */
export function probeEveryMs(nodeCount: number, maxDailyCalls: number | null): number {
  const usual = nodeCount > 1 ? COMPARED_EVERY_MS : ALONE_EVERY_MS
  if (maxDailyCalls === null) return usual
  return Math.max(usual, Math.ceil((DAY_MS * CALLS_OF_A_PROBE) / (maxDailyCalls * PROBE_SHARE)))
}
