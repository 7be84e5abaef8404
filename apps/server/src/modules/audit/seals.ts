/** The chain of hashes over the entries. A job writes it; it is verified every hour and on request. */
import type { AuditVerification } from '@kassa/contract/audit/schemas.ts'

import type { Context } from '../../context.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { type Broken, findBroken, NO_HASH, sealsOf } from './proof/entry-hash.ts'
import {
  findLastCheck,
  findLastIdBefore,
  findLastSeal,
  findMark,
  findSealUpTo,
  insertCheck,
  insertSeals,
  isSettled,
  listRange,
  listSeals,
  type StoredCheck,
} from './seal-store.ts'

/** Entries per statement: enough for few statements, and few enough that other work of the process runs in between. */
const PAGE = 1_000

/** How long a run waits for the transactions that were open when it began; the next run tries again. */
const WAIT_MS = 20_000
const ASK_EVERY_MS = 100

/**
 * Seals the entries written before now, in the order of their ids; returns how many. It waits until no smaller id can appear;
 * no writer waits for it. Several processes may run it at once, because they write the same seals.
 */
export async function sealEntries(ctx: Context, waitMs = WAIT_MS): Promise<number> {
  const last = await findLastSeal(ctx)
  const mark = await findMark(ctx)
  const through = mark.lastId ?? 0n
  if (through <= (last?.entryId ?? 0n)) return 0
  const until = performance.now() + waitMs
  const never = new AbortController().signal
  while (!(await isSettled(ctx, mark))) {
    if (performance.now() >= until) return 0
    await ctx.sleep(ASK_EVERY_MS, never)
  }
  let [after, hash, sealed] = [last?.entryId ?? 0n, last?.hash ?? NO_HASH, 0]
  for (;;) {
    const entries = await listRange(ctx, { after, through, limit: PAGE })
    const seals = sealsOf(entries, hash)
    const newest = seals.at(-1)
    if (!newest) return sealed
    await insertSeals(ctx, seals)
    ;[after, hash, sealed] = [newest.entryId, newest.hash, sealed + seals.length]
  }
}

export type Span = { readonly from?: Date | undefined; readonly to?: Date | undefined }

/** Verifies the sealed entries of a span, all of them without one. */
export async function verifyEntries(ctx: Context, { from, to }: Span = {}): Promise<AuditVerification> {
  const after = from ? await findLastIdBefore(ctx, from) : 0n
  const through = to ? await findLastIdBefore(ctx, new Date(to.getTime() + 1)) : null
  const { checked, broken } = await verifyRange(ctx, after, through)
  return {
    ok: broken === null,
    checked,
    headHash: (await findLastSeal(ctx))?.hash ?? null,
    firstBroken: broken && { id: Number(broken.entryId), fault: broken.fault },
  }
}

type Verified = { readonly checked: number; readonly broken: Broken | null }

/** Compares page by page, from the seal before the range to the last one in it. */
async function verifyRange(ctx: Context, first: bigint, through: bigint | null): Promise<Verified> {
  const before = await findSealUpTo(ctx, first)
  const end = (await findSealUpTo(ctx, through))?.entryId ?? 0n
  let [after, hash, checked] = [before?.entryId ?? 0n, before?.hash ?? NO_HASH, 0]
  while (after < end) {
    const seals = await listSeals(ctx, { after, through: end, limit: PAGE })
    const newest = seals.at(-1)
    if (!newest) break
    const entries = await listRange(ctx, { after, through: newest.entryId, limit: PAGE + 1 })
    const broken = findBroken(entries, seals, hash)
    if (broken) return { checked, broken }
    ;[after, hash, checked] = [newest.entryId, newest.hash, checked + seals.length]
  }
  return { checked, broken: null }
}

/** Everything is verified once a day, and whenever something was broken; in between, what was sealed since. */
const FULL_EVERY_MS = 24 * 3_600_000

const SUBJECT = { kind: 'activity_log_broken', subject: 'activity log' } as const

/** Verifies what is due and raises the alarm when an entry differs from its seal. */
export async function checkEntries(ctx: Context): Promise<void> {
  const last = await findLastCheck(ctx)
  // A time to come was noted by a clock that has been corrected since.
  const isFull = !last?.ok || !last.fullAt || Math.abs(ctx.now().getTime() - last.fullAt.getTime()) >= FULL_EVERY_MS
  const broken = (await findLostHead(ctx, last)) ?? (await verifyRange(ctx, isFull ? 0n : last.through, null)).broken
  const head = await findLastSeal(ctx)
  // While something is broken, the newest seal of the last good check stays the one to compare with.
  const reach =
    broken && last
      ? { through: last.through, hash: last.hash }
      : { through: head?.entryId ?? 0n, hash: head?.hash ?? null }
  await insertCheck(ctx, { ok: broken === null, ...reach, fullAt: isFull ? ctx.now() : last.fullAt })
  if (!broken) return clearAlarm(ctx, SUBJECT)
  await raiseAlarm(ctx, { ...SUBJECT, params: { case: broken.fault, entry: Number(broken.entryId) } })
}

/** The seal that was newest at the last check must still exist: otherwise the end of the log was cut off. */
async function findLostHead(ctx: Context, last: StoredCheck | undefined): Promise<Broken | null> {
  if (!last?.hash) return null
  const seal = await findSealUpTo(ctx, last.through)
  if (seal?.entryId === last.through && seal.hash === last.hash) return null
  return { entryId: last.through, fault: seal?.entryId === last.through ? 'changed' : 'removed' }
}
