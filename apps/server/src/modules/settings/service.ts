/**
 * Settings of the install (api.md C): a closed list of keys, each with the form of its value, its default and the
 * permission that reads or changes it. Where the environment names the site URL, a setting replaces it.
 */
import { fail, ApiError } from '@kassa/contract/kit/api-error.ts'
import type { Permission } from '@kassa/contract/permissions.ts'
import { FACTOR_POLICIES, type FactorPolicy, type SettingEntry, SETTINGS } from '@kassa/contract/settings/keys.ts'
import type { SiteAddressChange } from '@kassa/contract/settings/schemas.ts'

import { afterCommit, type Context, inTransaction } from '../../context.ts'
import { versioned } from '../../db/versioned.ts'
import { forget, open, seal } from '../vaults/service.ts'
import { checkValue, passkeyHostOf, settingEntry, splitItems } from './rules.ts'
import {
  deleteConfiguration,
  findConfiguration,
  isMailServerSet,
  listConfiguration,
  lockConfiguration,
  upsertConfiguration,
} from './store.ts'
import type { ConfigurationRow } from './tables.ts'

/** A setting with what was stored for it, if anything. */
export type StoredSetting = {
  readonly key: string
  readonly entry: SettingEntry
  readonly row: ConfigurationRow | undefined
}

/** Returns what applies for a key: what was set, else its default, else null. Secrets are opened. */
export async function setting(ctx: Context, key: string): Promise<string | null> {
  return (await settings(ctx, [key]))[key] ?? null
}

const storedOf = versioned(listConfiguration)

/** Returns what was set for a key that is no secret, and when; null where nothing was. */
export async function storedSetting(
  ctx: Context,
  key: string,
): Promise<{ readonly value: string | null; readonly updatedAt: Date } | null> {
  const [row] = await storedOf(ctx, [key])
  return row ? { value: row.value, updatedAt: row.updated_at } : null
}

/** Returns what applies for each key, as `setting` does, from one statement: every request asks for some. */
async function settings<K extends string>(ctx: Context, keys: readonly K[]): Promise<Record<K, string | null>> {
  const rows = new Map((await storedOf(ctx, keys)).map((row) => [row.key, row]))
  const entries: [string, string | null][] = []
  for (const key of keys) {
    const entry = entryOf(ctx, key)
    if (!entry) throw new Error(`There is no setting ${key}`)
    entries.push([key, await valueOf(ctx, rows.get(key), entry)])
  }
  return Object.fromEntries(entries) as Record<K, string | null>
}

async function valueOf(ctx: Context, row: ConfigurationRow | undefined, entry: SettingEntry): Promise<string | null> {
  if (row?.secret_id) return (await open(ctx, row.secret_id)).toString('utf8')
  return row?.value ?? entry.default ?? null
}

/** The entry of a setting in this install: some defaults are stricter on mainnet. */
function entryOf({ config }: Pick<Context, 'config'>, key: string): SettingEntry | undefined {
  const entry = settingEntry(key)
  if (entry?.mainnetDefault === undefined || config.network !== 'mainnet') return entry
  return { ...entry, default: entry.mainnetDefault }
}

/** Returns a setting that is a whole number with a default. */
export async function numberSetting(ctx: Context, key: string): Promise<number> {
  const value = await setting(ctx, key)
  if (value === null) throw new Error(`The setting ${key} has no default`)
  return Number(value)
}

/** Returns when members must have a second factor. */
export async function factorPolicy(ctx: Context): Promise<FactorPolicy> {
  return factorPolicyOf(ctx, await setting(ctx, 'security.second_factor'))
}

/** The same of a value that was read with something else; null where none was set. */
export function factorPolicyOf(ctx: Pick<Context, 'config'>, stored: string | null): FactorPolicy {
  const policy = stored ?? entryOf(ctx, 'security.second_factor')?.default
  return FACTOR_POLICIES.find((one) => one === policy) ?? 'optional'
}

/** Returns the origin people reach Kassa at: as set, else from the environment; null when neither is set. */
export async function siteUrl(ctx: Context): Promise<string | null> {
  return (await setting(ctx, 'payram.frontend')) ?? ctx.config.siteUrl
}

/** Returns the host name that passkeys are created for, that of the site URL; null where none can be created. */
export async function passkeyHost(ctx: Context): Promise<string | null> {
  return passkeyHostOf(await siteUrl(ctx))
}

/** Returns the origin of the API in links: as set, else the site URL. */
export async function backendUrl(ctx: Context): Promise<string | null> {
  return (await linkOrigins(ctx)).backend
}

/** Returns both origins that links are made of: the site's and the API's. */
export async function linkOrigins(ctx: Context): Promise<{ site: string | null; backend: string | null }> {
  const set = await settings(ctx, ['payram.frontend', 'payram.backend'])
  const site = set['payram.frontend'] ?? ctx.config.siteUrl
  return { site, backend: set['payram.backend'] ?? site }
}

/** Whether the install has a mail server: screens offer what needs one only then. */
export async function hasMailServer(ctx: Context): Promise<boolean> {
  return isMailServerSet(ctx)
}

/**
 * Returns the origins under whose host names operators and programs are answered: whose pages may call, where programs call, and
 * what the environment names. The last one stays, so that whoever sets a wrong site URL can open Kassa and correct it.
 */
export async function hostOrigins(ctx: Context): Promise<string[]> {
  const set = await settings(ctx, ['payram.backend', 'payram.server.url'])
  const others = [set['payram.backend'], set['payram.server.url'], ctx.config.siteUrl]
  return [...(await allowedOrigins(ctx)), ...others.filter((origin) => origin !== null)]
}

/** Returns the origin of the API where it has one of its own; null where pages call the origin that they came from. */
export async function ownBackend(ctx: Context): Promise<string | null> {
  const { site, backend } = await linkOrigins(ctx)
  return backend === site ? null : backend
}

/** Returns the origins whose pages may call operator routes: the site URL first, then those that were added. */
export async function allowedOrigins(ctx: Context): Promise<string[]> {
  const set = await settings(ctx, ['payram.frontend', 'security.allowed_origins'])
  const site = set['payram.frontend'] ?? ctx.config.siteUrl
  return [...(site === null ? [] : [site]), ...splitItems(set['security.allowed_origins'] ?? '')]
}

/**
 * Reads one setting for the caller.
 * @throws CONFIGURATION_KEY_UNKNOWN, FORBIDDEN, or CONFIGURATION_NOT_SET when it has neither value nor default
 */
export async function readSetting(ctx: Context, key: string): Promise<StoredSetting> {
  const entry = entryOf(ctx, key) ?? fail('CONFIGURATION_KEY_UNKNOWN')
  if (entry.read.length > 0) requireAnyOf(ctx, entry.read)
  const row = await findConfiguration(ctx, key)
  if (!row && entry.default === undefined) return fail('CONFIGURATION_NOT_SET')
  return { key, entry, row }
}

/** Lists every setting the caller may read, in the order of the catalogue, whether or not anything was set. */
export async function listKnownSettings(ctx: Context): Promise<StoredSetting[]> {
  const known = Object.entries(SETTINGS).filter(([, { read }]) => read.length === 0 || holdsAnyOf(ctx, read))
  const rows = new Map(
    (
      await listConfiguration(
        ctx,
        known.map(([key]) => key),
      )
    ).map((row) => [row.key, row]),
  )
  return known.map(([key, entry]) => ({ key, entry: entryOf(ctx, key) ?? entry, row: rows.get(key) }))
}

/** On mainnet, a password alone never suffices to move money. */
function refuseWeakFactor(key: string, value: string): void {
  if (key !== 'security.second_factor' || value !== 'optional') return
  const reason = 'Mainnet asks for a second factor where money moves: choose money or always'
  fail('CONFIGURATION_VALUE_INVALID', { values: { reason }, fields: { value: reason } })
}

/**
 * Sets one setting; setting the same value again changes nothing but its time. Emits configuration.changed.
 * @throws CONFIGURATION_KEY_UNKNOWN, FORBIDDEN, CONFIGURATION_VALUE_INVALID
 */
export async function saveSetting(
  ctx: Context,
  input: { readonly key: string; readonly value: string },
): Promise<{ readonly saved: StoredSetting; readonly isNew: boolean }> {
  const { key } = input
  const entry = entryOf(ctx, key) ?? fail('CONFIGURATION_KEY_UNKNOWN')
  requireAnyOf(ctx, entry.write)
  const checked = checkValue(entry.form, input.value)
  if ('reason' in checked) {
    return fail('CONFIGURATION_VALUE_INVALID', { values: checked, fields: { value: checked.reason } })
  }
  if (ctx.config.network === 'mainnet') refuseWeakFactor(key, checked.value)
  const result = await inTransaction(ctx, async (tx) => {
    await lockConfiguration(tx, key)
    const former = await findConfiguration(tx, key)
    const { row, isNew } = await store(tx, key, entry, checked.value)
    tx.change(former ? shown(former) : null, shown(row))
    await tx.events.emit(tx, { type: 'configuration.changed', projectId: null, payload: { key } })
    return { saved: { key, entry, row }, isNew }
  })
  if (entry.form.kind === 'egress') await afterCommit(ctx, ctx.egress.refresh)
  return result
}

/**
 * Restores the default of one setting; a secret is deleted. Resetting a setting without a value changes nothing and emits
 * nothing, otherwise configuration.changed is emitted. @throws CONFIGURATION_KEY_UNKNOWN, FORBIDDEN
 */
export async function resetSetting(ctx: Context, key: string): Promise<SettingEntry> {
  const entry = entryOf(ctx, key) ?? fail('CONFIGURATION_KEY_UNKNOWN')
  requireAnyOf(ctx, entry.write)
  await inTransaction(ctx, (tx) => clearSetting(tx, key))
  if (entry.form.kind === 'egress') await afterCommit(ctx, ctx.egress.refresh)
  return entry
}

/** Confirms the only set-up mode there is. @throws SETUP_MODE_UNSUPPORTED for every other */
export function confirmSetupMode(setupMode: string): void {
  if (setupMode !== 'merchant') fail('SETUP_MODE_UNSUPPORTED')
}

/**
 * Stores where people and programs reach this server; an empty API address means the site's. Emits configuration.changed for
 * each. @throws FORBIDDEN, CONFIGURATION_VALUE_INVALID
 */
export async function saveSiteAddress(
  ctx: Context,
  { siteUrl: site, backendUrl: backend }: SiteAddressChange,
): Promise<{ site: string | null; backend: string | null }> {
  await inTransaction(ctx, async (tx) => {
    await saveAs(tx, 'siteUrl', 'payram.frontend', site)
    if (backend === '') await clearSetting(tx, 'payram.backend')
    else if (backend !== undefined) await saveAs(tx, 'backendUrl', 'payram.backend', backend)
  })
  return linkOrigins(ctx)
}

/** Stores a setting under the name that a form has for it. */
async function saveAs(ctx: Context, field: string, key: string, value: string): Promise<void> {
  try {
    await saveSetting(ctx, { key, value })
  } catch (thrown) {
    const reason = thrown instanceof ApiError ? thrown.fields?.value : undefined
    if (reason === undefined) throw thrown
    fail('CONFIGURATION_VALUE_INVALID', { values: { reason }, fields: { [field]: reason } })
  }
}

/** Removes what was set, and its secret; emits nothing when nothing was set. */
async function clearSetting(ctx: Context, key: string): Promise<void> {
  const former = await deleteConfiguration(ctx, key)
  if (former === undefined) return
  ctx.change(shown(former), null)
  if (former.secret_id) await forget(ctx, former.secret_id)
  await ctx.events.emit(ctx, { type: 'configuration.changed', projectId: null, payload: { key } })
}

/** The activity log's view of a setting: a secret is shown as its id in the vault, which changes with its value. */
function shown({
  key: name,
  value,
  secret_id: sealed,
}: {
  key: string
  value: string | null
  secret_id: number | null
}) {
  return { name, value: sealed === null ? value : `sealed as ${sealed}` }
}

async function store(ctx: Context, key: string, entry: SettingEntry, value: string) {
  if (entry.form.kind !== 'secret') return upsertConfiguration(ctx, { key, value, secretId: null })
  const former = await findConfiguration(ctx, key)
  const secretId = await seal(ctx, { kind: 'setting', label: key, value: Buffer.from(value) })
  const result = await upsertConfiguration(ctx, { key, value: null, secretId })
  if (former?.secret_id) await forget(ctx, former.secret_id)
  return result
}

/** Settings have their own permissions, so the route cannot check them: the caller needs one of these for the whole install. */
function requireAnyOf(ctx: Context, permissions: readonly Permission[]): void {
  if (holdsAnyOf(ctx, permissions)) return
  const [permission = ''] = permissions
  fail('FORBIDDEN', { values: { permission, project: 'this install' }, data: { permission, project: 'this install' } })
}

function holdsAnyOf({ caller }: Context, permissions: readonly Permission[]): boolean {
  if (caller.kind === 'system') return true
  return caller.kind === 'operator' && permissions.some((permission) => caller.grants.install.has(permission))
}
