/**
 * Writes are idempotent (api.md 1.6): the key row, the effect and the stored answer commit together. A refusal rolls the effect
 * back, and a second transaction stores the refusal, so that a repeat gets it again. What a write needs from outside is
 * requested before the transaction, after the stored answer was looked up (0031).
 */
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto'

import { fail, ApiError } from '@kassa/contract/kit/api-error.ts'
import type { Route } from '@kassa/contract/kit/route.ts'

import { keyFor } from '../../config/keys.ts'
import { type Context, inTransaction } from '../../context.ts'
import { executeLast } from '../../db/round-trips/last-statement.ts'
import { inSharedTransaction, isLockTimeout } from '../../db/round-trips/shared-transaction.ts'
import { remembered } from '../../memory.ts'
import { errorBody } from '../api-errors.ts'
import { type AuditRecord, insertRecords } from '../audit/audit-hook.ts'
import { type Claim, deleteClaim, findAnswer, insertClaim, replayableMs, updateAnswer } from './store.ts'

export type Answer = {
  readonly status: number
  readonly body: unknown
  /** Set when the stored answer of an earlier request is replayed. */
  readonly replayed?: 'key' | 'dedupe'
}

/** What a write answers, and the record of it: it is written last, with the answer that is stored. */
export type Performed = { readonly answer: Answer; readonly record?: AuditRecord | undefined }

export type IdempotentCall<T> = {
  readonly route: Route
  readonly method: string
  readonly idempotencyKey: string | undefined
  readonly params: unknown
  readonly body: unknown
  /** Whether the stored answer of a deduplicated create is still true; checked before it is replayed. */
  readonly stillStands: ((ctx: Context, body: unknown) => Promise<boolean>) | undefined
  /** Work that must not happen inside a transaction; `perform` gets its result. */
  readonly prepare: ((ctx: Context) => Promise<T>) | undefined
  /** Whether the effect may share its transaction with that of other calls; then it may run twice. */
  readonly isShared: boolean
  /** The effect. It runs inside the transaction, whether or not the call has a key. */
  readonly perform: (ctx: Context, prepared: T | undefined) => Promise<Performed>
}

/** A claim that took longer waited for another request; calls that share their transaction never wait so long. */
const UNHINDERED_MS = 100

/** Performs a write in one transaction, once per key; repeats get the stored answer. @throws IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS */
export async function performOnce<T>(ctx: Context, call: IdempotentCall<T>): Promise<Answer> {
  const claim = claimOf(ctx, call, await hashFiles(call.body))
  try {
    // Without `prepare`, the claim itself finds the stored answer, in one statement.
    const known = claim && call.prepare ? await replayOf(ctx, claim, call) : null
    if (known) return known
    const prepared = await call.prepare?.(ctx)
    const open = call.isShared ? inSharedTransaction : inTransaction
    return await open(ctx, (tx) =>
      claim ? claimAndPerform(tx, claim, call, prepared) : performAlone(tx, call, prepared),
    )
  } catch (thrown) {
    if (claim && isLockTimeout(thrown)) return stillRunning(claim)
    if (thrown instanceof ApiError && isStored(thrown) && claim?.kind === 'key')
      await storeRefusal(ctx, claim, thrown, call.route)
    throw thrown
  }
}

function claimOf<T>(
  ctx: Context,
  { route, method, idempotencyKey, params, body }: IdempotentCall<T>,
  files: FileHashes,
): Claim | null {
  if (route.keyless) return null
  const caller = callerKey(ctx)
  if (caller === null) return null
  const requestHash = hashRequest(ctx, [method, route.id, params, body], files)
  if (idempotencyKey !== undefined) {
    if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) return fail('IDEMPOTENCY_KEY_INVALID')
    return { caller, key: idempotencyKey, kind: 'key', requestHash }
  }
  if (!route.dedupe || ctx.caller.kind !== 'key') return null
  return { caller, key: `dedupe:${requestHash.toString('hex')}`, kind: 'dedupe', requestHash }
}

/**
 * Keys of one project share a space, so that a rotated key can repeat its predecessor's calls; each operator has their own
 * space.
 */
function callerKey({ caller }: Context): string | null {
  if (caller.kind === 'key') return `project:${caller.projectId}`
  if (caller.kind === 'device') return `device:${caller.deviceId}`
  if (caller.kind === 'promoter') return `promoter:${caller.referrerId}`
  return caller.kind === 'operator' ? `operator:${caller.operatorId}` : null
}

async function claimAndPerform<T>(
  ctx: Context,
  claim: Claim,
  call: IdempotentCall<T>,
  prepared: T | undefined,
): Promise<Answer> {
  const askedAt = performance.now()
  if (!(await insertClaim(ctx, claim))) {
    const replay = await replayOf(ctx, claim, call)
    if (replay) return replay
    await deleteClaim(ctx, claim.caller, claim.key)
    await insertClaim(ctx, claim)
  }
  const hasWaited = !ctx.sharing && performance.now() - askedAt > UNHINDERED_MS
  const { answer, record } = await call.perform(hasWaited ? withoutVersion(ctx) : ctx, prepared)
  await updateAnswer(ctx, { ...answer, claim, body: withoutSecrets(call.route, answer.body), record })
  return answer
}

async function performAlone<T>(ctx: Context, call: IdempotentCall<T>, prepared: T | undefined): Promise<Answer> {
  const { answer, record } = await call.perform(ctx, prepared)
  const insert = record && insertRecords([record])
  if (insert) await executeLast(ctx.db, insert)
  return answer
}

/** The version of the configuration was read before the wait, so that the work after it must read the database (0023). */
function withoutVersion({ configVersion: _old, ...ctx }: Context): Context {
  return ctx
}

/** Answers from before this time are no longer repeated. */
function oldest(ctx: Context, { kind }: Claim): Date {
  return new Date(ctx.now().getTime() - replayableMs(kind))
}

async function replayOf<T>(ctx: Context, claim: Claim, call: IdempotentCall<T>): Promise<Answer | null> {
  const stored = await findAnswer(ctx, claim, oldest(ctx, claim))
  if (!stored || stored.status === null) return null
  if (!stored.requestHash.equals(claim.requestHash)) return fail('IDEMPOTENCY_KEY_REUSED')
  if (claim.kind === 'dedupe' && call.stillStands && !(await call.stillStands(ctx, stored.body))) return null
  return { status: stored.status, body: stored.body, replayed: claim.kind }
}

async function storeRefusal(ctx: Context, claim: Claim, refusal: ApiError, route: Route): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (await insertClaim(tx, claim)) {
      await updateAnswer(tx, { claim, status: refusal.status, body: errorBody(refusal, ctx.requestId, route) })
    }
  })
}

/**
 * A missing credential, proof of presence or second factor, or a rate limit, may be resolved, so that the same call is sent
 * again: such a refusal is not stored.
 */
function isStored({ status, code }: ApiError): boolean {
  return status < 500 && status !== 401 && status !== 429 && !/^(STEP_UP|SECOND_FACTOR|IDEMPOTENCY)_/.test(code)
}

function stillRunning(claim: Claim): never {
  return claim.kind === 'key'
    ? fail('IDEMPOTENCY_IN_PROGRESS', { retryAfter: 1 })
    : fail('REQUEST_IN_PROGRESS', { retryAfter: 1 })
}

function withoutSecrets(route: Route, body: unknown): unknown {
  if (!route.secrets || typeof body !== 'object' || body === null) return body
  return { ...body, ...Object.fromEntries(route.secrets.map((name) => [name, null])), secretWithheld: true }
}

/** Hashed with a key, because a body may hold a secret: a reader of the table cannot test guesses. */
function hashRequest(ctx: Context, request: readonly unknown[], files: FileHashes): Buffer {
  const imported = importedKey(ctx)
  imported.key ??= createSecretKey(keyFor(ctx, 'idempotency'))
  return createHmac('sha256', imported.key).update(canonical(request, files)).digest()
}

type FileHashes = ReadonlyMap<unknown, string>

/** The files of a form by what they hold: they stand in its fields, or in lists of them. */
async function hashFiles(body: unknown): Promise<FileHashes> {
  const fields: unknown[] = typeof body === 'object' && body !== null ? Object.values(body).flat() : []
  const files = fields.filter((field) => field instanceof Blob)
  const hash = async (file: Blob) =>
    createHash('sha256')
      .update(new Uint8Array(await file.arrayBuffer()))
      .digest('hex')
  return new Map(await Promise.all(files.map(async (file) => [file, await hash(file)] as const)))
}

/** The key as OpenSSL uses it: to import it for each request costs more than to hash with it. */
const importedKey = remembered((): { key?: KeyObject } => ({}))

/** JSON with sorted keys, so that the order of fields makes no difference. */
function canonical(value: unknown, files: FileHashes): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return item.toString()
    if (item instanceof Blob) return `${item.type} ${files.get(item) ?? ''}`
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
