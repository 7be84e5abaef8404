/** When a send is broadcast, asked about and bumped (money.md 7.3). Pure. */
import type { Attempt, Send } from '../record/send.ts'

/** Nodes drop transactions that wait for long, so they get the bytes again. */
export const REBROADCAST_MS = 30_000

/**
 * A decision that the ledger could not book is tried again this often: another transaction or an operator books what is
 * missing.
 */
export const DECIDE_AGAIN_MS = 10_000

/** Wallets are compared with the chain this often. */
export const COMPARE_WALLETS_MS = 30_000

/** How often a transaction is asked about: twice a block, and on the sandbox, where blocks are made on demand, more often. */
export function askEveryMs(blockSeconds: number, isSandbox: boolean): number {
  return isSandbox ? 200 : Math.max(1_000, blockSeconds * 500)
}

/**
 * So long after the expiry of its last attempt, an operator hears that the outcome of a transaction is not proven: TRON calls a
 * block final after a minute, and 15 allow for a node that is restarted.
 */
export const UNPROVEN_AFTER_MS = 15 * 60_000

/** An alarm about it is written this often at most. */
export const UNPROVEN_AGAIN_MS = 60_000

/** Whether none of the attempts may be mined any more, for so long that a proof of it should exist. */
export function isOverdue({ send, attempts }: Waiting, now: number): boolean {
  if (send.sequence !== null || attempts.length === 0) return false
  const expired = Math.max(...attempts.map(({ validUntil }) => validUntil?.getTime() ?? Infinity))
  return now - expired >= UNPROVEN_AFTER_MS
}

/** How long a transaction may wait before its fee is raised: 15 blocks, at least 30 seconds (ETH 3 minutes). */
export function bumpAfterMs(blockSeconds: number): number {
  return Math.max(30_000, blockSeconds * 15_000)
}

/**
 * Whether something that was done at this time, or never, is due again. A time in the future comes from a clock that was wrong.
 */
export function isDue(doneAt: number | null | undefined, everyMs: number, now: number): boolean {
  return doneAt === null || doneAt === undefined || Math.abs(now - doneAt) >= everyMs
}

type Waiting = { readonly send: Send; readonly attempts: readonly Attempt[] }

/**
 * Selects the sends whose fee is to be raised now: of each wallet the one that all others wait behind, once its newest attempt
 * has waited long enough.
 */
export function sendsToBump<One extends Waiting>(open: readonly One[], afterMs: number, now: number): One[] {
  const first = new Map<number, One>()
  for (const one of open) {
    if (one.send.sequence === null || isMined(one) || first.has(one.send.walletId)) continue
    first.set(one.send.walletId, one)
  }
  return [...first.values()].filter(({ attempts: [newest] }) => {
    const since = newest?.firstSentAt ?? newest?.createdAt
    return since !== undefined && isDue(since.getTime(), afterMs, now)
  })
}

/** Whether a block of our branch holds one of the attempts. */
export function isMined({ attempts }: Pick<Waiting, 'attempts'>): boolean {
  return attempts.some(({ mined }) => mined !== null)
}
