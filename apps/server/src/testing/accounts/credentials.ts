/** Credentials of every kind, written straight into the tables: sessions and API keys that are alive, over, or may little. */
import { randomBytes } from 'node:crypto'

import { isHeldIn } from '@kassa/contract/operators/role-places.ts'
import { type Permission, SCOPES, type Scope } from '@kassa/contract/permissions.ts'
import { sql } from 'kysely'

import { hashCredential } from '../../credentials.ts'
import type { TestApp } from '../app.ts'

export type TestSession = { readonly key: string; readonly sessionId: number; readonly operatorId: number }

type Facts<T extends object> = { readonly [Name in keyof T]?: T[Name] | undefined }

export type SessionOptions = Facts<{
  /** Where the permissions are held; everything in them by default. */
  projectId: number
  permissions: readonly Permission[]
  /** Columns of the operator, and of the session, that are not as usual. */
  operator: Readonly<Record<string, unknown>>
  session: Readonly<Record<string, unknown>>
}>

const HOUR_MS = 3_600_000

/** A time so many hours from now. */
export const hoursAway = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS)

/**
 * A session of an operator of its own, whose window of presence is open. What no role of a project can grant is held in the whole
 * install.
 */
export async function addSession(
  app: Pick<TestApp, 'ctx'>,
  { projectId, permissions = [], operator = {}, session = {} }: SessionOptions,
): Promise<TestSession> {
  const name = `o-${randomBytes(6).toString('hex')}`
  const operatorId = await insert(app, 'operators', { email: `${name}@shop.example`, customer_id: name, ...operator })
  const addRole = async (place: 'project' | 'install', where: number | null, some: readonly Permission[]) => {
    const role = { name: `${name}-${place}`, display_name: name, description: '', place, permissions: [...some] }
    const roleId = await insert(app, 'roles', role)
    await sql`INSERT INTO operator_roles (operator_id, project_id, role_id, created_at)
              VALUES (${operatorId}, ${where}, ${roleId}, now())`.execute(app.ctx.db)
  }
  const isOfProject = (permission: Permission) => isHeldIn(permission, 'project')
  if (projectId === undefined) await addRole('install', null, permissions)
  else {
    await addRole('project', projectId, permissions.filter(isOfProject))
    const others = permissions.filter((permission) => !isOfProject(permission))
    if (others.length > 0) await addRole('install', null, others)
  }
  const key = `ks_${randomBytes(32).toString('base64url')}`
  const sessionId = await insert(app, 'sessions', {
    operator_id: operatorId,
    key_hash: hashCredential(key),
    step_up_until: hoursAway(1),
    idle_expires_at: hoursAway(1),
    expires_at: hoursAway(1),
    ...session,
  })
  return { key, sessionId, operatorId }
}

/** A signing device. */
export async function addDevice(
  app: Pick<TestApp, 'ctx'>,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const key = `kd_${randomBytes(32).toString('base64url')}`
  await insert(app, 'devices', {
    ...{ name: 'Phone', public_key: randomBytes(32), key_hash: hashCredential(key), paired_by: 1 },
    ...{ paired_at: hoursAway(-2), ...facts },
  })
  return key
}

/** An API key of the project, with every scope by default. */
export async function addApiKey(
  app: Pick<TestApp, 'ctx'>,
  projectId: number,
  { scopes = SCOPES, ...facts }: { readonly scopes?: readonly Scope[]; readonly [column: string]: unknown } = {},
): Promise<string> {
  const key = `kp_test_${randomBytes(32).toString('base64url')}`
  await insert(app, 'api_keys', {
    ...{ project_id: projectId, created_by: 1, name: 'Key', key_hash: hashCredential(key), key_prefix: 'kp_test_' },
    ...{ last4: key.slice(-4), scopes: [...scopes], ...facts },
  })
  return key
}

/** The token of the page of a promoter of its own. */
export async function addReferralToken(
  app: Pick<TestApp, 'ctx'>,
  projectId: number,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const name = randomBytes(6).toString('hex')
  const code = Array.from(randomBytes(7), (byte) => 'ABCDEFGH'[byte % 8]).join('')
  const email = `${name}@shop.example`
  const referrerId = await insert(app, 'referrers', { project_id: projectId, reference_id: name, email, code })
  const token = `kref_${randomBytes(32).toString('base64url')}`
  const times = { created_at: new Date(), expires_at: hoursAway(24) }
  await insert(app, 'referral_tokens', {
    referrer_id: referrerId,
    token_hash: hashCredential(token),
    ...times,
    ...facts,
  })
  return token
}

/** A token for one call (api.md 2.7), as a proof gives it. */
export async function addStepUpToken(
  app: Pick<TestApp, 'ctx'>,
  token: { readonly session_id: number; readonly action: string; readonly digest: Buffer; readonly expires_at?: Date },
): Promise<string> {
  const text = `su_${randomBytes(32).toString('base64url')}`
  const row = { token_hash: hashCredential(text), expires_at: hoursAway(1), ...token }
  const columns = Object.keys(row).map((name) => sql.ref(name))
  await sql`INSERT INTO step_up_tokens (${sql.join(columns)}) VALUES (${sql.join(Object.values(row))})`.execute(
    app.ctx.db,
  )
  return text
}

async function insert(
  app: Pick<TestApp, 'ctx'>,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<number> {
  const columns = Object.keys(row).map((name) => sql.ref(name))
  const { rows } = await sql<{ id: number }>`
    INSERT INTO ${sql.table(table)} (${sql.join(columns)}) VALUES (${sql.join(Object.values(row))})
    RETURNING id`.execute(app.ctx.db)
  return rows[0]?.id ?? 0
}
