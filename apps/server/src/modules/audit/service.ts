/**
 * The activity log: who did what, with which result (api.md T, decision 0032). The HTTP layer writes entries in the transaction
 * of the change, and counts refusals per minute. No entry is ever changed or removed, and a chain of hashes proves that.
 */
import { auditAction, auditCategory, type AuditStatus, type PROGRAM_EVENTS } from '@kassa/contract/audit/events.ts'

import type { AuditedCall, AuditHook, AuditRecord, RefusedCall } from '../../http/audit/audit-hook.ts'
import { type Caller, type Context, inTransaction } from '../../context.ts'
import { remembered } from '../../memory.ts'
import { type AuditedDevice, changesText } from './changes-text.ts'
import { insertEntries, insertEntry } from './store.ts'
import type { NewAuditEntry } from './proof/tables.ts'

export { exportEntries, listEntryPage } from './read-entries.ts'
export { checkEntries, sealEntries, verifyEntries } from './seals.ts'

/** How long refusals of one caller are counted together. */
const MINUTE_MS = 60_000

/**
 * Callers and calls that are listed apart within a minute; refusals of all others are counted by their code alone. An attacker
 * with a million addresses then writes about 90 entries a minute and process, and cannot fill the disk.
 */
const MOST_NAMED = 30

/** A device names itself. */
const LONGEST_NAME = 100

/** The name for the calls of many. */
const MANY = { event: 'manyCallers', method: '', path: '', ip: '', operator: null, key: null } as const

/** How the HTTP layer writes calls to the log. */
export const auditHook: AuditHook = {
  recordOf: (ctx, call) => ({ entry: entryOf(ctx, call), insert: insertEntries as AuditRecord['insert'] }),
  refused,
}

/** Writes an entry about an action of the program itself. Joins the open transaction. */
export async function recordByProgram(
  ctx: Context,
  event: (typeof PROGRAM_EVENTS)[number],
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  await insertEntry(ctx, {
    ...blank(ctx),
    category: auditCategory(event),
    event,
    action: 'SYSTEM',
    status: 'SUCCESS',
    status_code: 0,
    changes: changesText([{ before: null, after }]),
  })
}

function entryOf(ctx: Context, call: AuditedCall): NewAuditEntry {
  const { name, method, path, status, projectId, facts, changes } = call
  const named = changes.find(({ actor }) => actor)?.actor
  const inProject = projectId ?? changes.find((change) => change.projectId !== undefined)?.projectId ?? null
  return {
    ...blank(ctx),
    ...callerOf(ctx.caller, inProject),
    ...(named && {
      operator_id: named.operatorId,
      operator_email: named.email,
      session_id: named.sessionId ?? null,
    }),
    category: auditCategory(name),
    event: name,
    action: auditAction(name, true),
    method,
    path: cut(path, 300),
    status: 'SUCCESS',
    status_code: status,
    ip: facts.ip,
    user_agent: clean(facts.userAgent),
    referer: pageOf(facts.referer),
    changes: changesText(changes, deviceOf(ctx.caller)),
  }
}

type Counting = { readonly entry: NewAuditEntry; repeats: number }

/** The refusals of the current minute. */
const minuteOf = remembered(() => new Map<string, Counting>())

/**
 * Counts a refusal: the first one of a caller, call and code is written at once, its repeats in one entry at the end of the
 * minute.
 */
async function refused(ctx: Context, refusal: RefusedCall): Promise<void> {
  const minute = minuteOf(ctx)
  if (minute.size === 0) {
    setTimeout(
      () => void flushRefusals(ctx).catch((err: unknown) => ctx.log.error({ err }, 'refusals were not written')),
      MINUTE_MS,
    ).unref()
  }
  const key = JSON.stringify([subjectOf(ctx.caller, refusal), refusal.name, refusal.code])
  const isNamed = minute.size < MOST_NAMED
  const known = minute.get(key) ?? (isNamed ? undefined : minute.get(refusal.code))
  if (known) {
    known.repeats += 1
    return
  }
  const entry = refusalEntry(ctx, refusal, isNamed)
  minute.set(isNamed ? key : refusal.code, { entry, repeats: 0 })
  await inTransaction(ctx, (tx) => insertEntry(tx, entry))
}

/** Writes the repeats of refusals that were counted; called at the end of each minute and of the process. */
export async function flushRefusals(ctx: Context): Promise<void> {
  const minute = minuteOf(ctx)
  const repeated = [...minute.values()].filter(({ repeats }) => repeats > 0)
  minute.clear()
  if (repeated.length === 0) return
  await inTransaction(ctx, async (tx) => {
    for (const { entry, repeats } of repeated) await insertEntry(tx, { ...entry, at: ctx.now(), count: repeats })
  })
}

function subjectOf(caller: Caller, { facts }: RefusedCall): string {
  if (caller.kind === 'operator') return `operator:${caller.operatorId}`
  if (caller.kind === 'device') return `device:${caller.deviceId}`
  if (caller.kind === 'promoter') return `promoter:${caller.referrerId}`
  return caller.kind === 'key' ? `key:${caller.keyId}` : facts.network
}

function refusalEntry(ctx: Context, refusal: RefusedCall, isNamed: boolean): NewAuditEntry {
  const { name, method, path, facts, code, status, projectId } = refusal
  const action = auditAction(name, method !== 'GET')
  const result: AuditStatus = action === 'LOGIN' ? 'FAILURE' : 'DENIED'
  const common = { ...blank(ctx), status: result, status_code: status, error_code: code }
  if (!isNamed) {
    return {
      ...common,
      category: 'access',
      event: MANY.event,
      action,
      method: MANY.method,
      path: MANY.path,
      ip: MANY.ip,
    }
  }
  return {
    ...common,
    ...callerOf(ctx.caller, projectId),
    category: auditCategory(name),
    event: name,
    action,
    method,
    path: cut(path, 300),
    ip: facts.ip,
    user_agent: clean(facts.userAgent),
    referer: pageOf(facts.referer),
    changes: changesText([], deviceOf(ctx.caller)),
  }
}

function deviceOf(caller: Caller): AuditedDevice | null {
  return caller.kind === 'device' ? { id: caller.deviceId, name: cut(caller.name, LONGEST_NAME) } : null
}

type Who = Pick<NewAuditEntry, 'operator_id' | 'operator_email' | 'key_id' | 'session_id' | 'project_id'>

function callerOf(caller: Caller, projectId: number | null): Who {
  const anonymous = { operator_id: null, operator_email: null, key_id: null, session_id: null, project_id: projectId }
  if (caller.kind === 'operator') {
    const { operatorId, email, sessionId } = caller
    return { ...anonymous, operator_id: operatorId, operator_email: email, session_id: sessionId }
  }
  if (caller.kind === 'promoter') return { ...anonymous, project_id: caller.projectId }
  return caller.kind === 'key' ? { ...anonymous, key_id: caller.keyId, project_id: caller.projectId } : anonymous
}

/** The columns that an entry without a call leaves empty. */
function blank(ctx: Context) {
  return {
    at: ctx.now(),
    method: '',
    path: '',
    error_code: null,
    count: 1,
    operator_id: null,
    operator_email: null,
    key_id: null,
    session_id: null,
    project_id: null,
    ip: '',
    user_agent: '',
    referer: '',
    request_id: ctx.requestId,
    changes: null,
  }
}

/** A header as one line of text that PostgreSQL can store. */
function clean(text: string): string {
  return cut(text.replaceAll(/\p{Cc}+/gu, ' '), 255)
}

/** The path of a promoter's page contains the token of its link. */
const TOKEN_IN_PATH = /^\/referral\/.*/

/** The page a call came from, without its query, which may contain the token of a link. */
function pageOf(referer: string): string {
  const url = URL.parse(referer)
  return url ? clean(`${url.origin}${url.pathname.replace(TOKEN_IN_PATH, '/referral')}`) : ''
}

function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) : text
}
