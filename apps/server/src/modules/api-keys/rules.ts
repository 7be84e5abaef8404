import type { ApiKeyAction } from '@kassa/contract/api-keys/schemas.ts'
import { type Preset, PRESETS, type Scope, SCOPES } from '@kassa/contract/permissions.ts'

/** Names that older clients use when they create a key (api.md 3.3). */
const SCOPE_ALIASES: Readonly<Record<string, Scope>> = {
  write_payment_request: 'payment:create',
  read_payment_request: 'payment:read',
  write_merchant_withdrawal: 'payout:create',
  read_merchant_withdrawal: 'payout:read',
  write_recipient: 'recipient:write',
  write_validate_otp: 'recipient:write',
  read_recipient: 'recipient:read',
}

/** The preset of scopes for the role that older clients name. */
const PRESET_ALIASES: Readonly<Record<string, Preset>> = { platform_admin: 'merchant' }
const DEFAULT_PRESET: Preset = 'merchant'

/** A last use is written at most this often. */
const NOTE_USE_EVERY_MS = 60_000

/** Names of actions: the state itself and its verb mean the same. */
const ACTIONS: Readonly<Record<ApiKeyAction, 'active' | 'inactive' | 'rotate'>> = {
  active: 'active',
  activate: 'active',
  inactive: 'inactive',
  deactivate: 'inactive',
  rotate: 'rotate',
}

export type ScopeChoice = {
  readonly scopes?: readonly string[] | undefined
  readonly preset?: string | undefined
  readonly roleName?: string | undefined
}

/** Returns the scopes of a key, in the catalogue's order, or the first unknown name. */
export function chooseScopes(choice: ScopeChoice): { readonly scopes: Scope[] } | { readonly unknown: string } {
  if (choice.scopes !== undefined) return readScopes(choice.scopes)
  const name = choice.preset ?? choice.roleName ?? DEFAULT_PRESET
  const preset = Object.hasOwn(PRESET_ALIASES, name) ? PRESET_ALIASES[name] : name
  return preset !== undefined && isPreset(preset) ? { scopes: [...PRESETS[preset]] } : { unknown: name }
}

/** Whether a key works now. */
export function isUsable(key: { readonly status: string; readonly expires_at: Date | null }, now: Date): boolean {
  return key.status === 'active' && (key.expires_at === null || key.expires_at > now)
}

/** When and from where a key works. */
export type Reach = {
  readonly status: string
  readonly expires_at: Date | null
  readonly allowed_ips: readonly string[]
}

/** Whether a key works in more cases than before: again, for longer, or from further addresses. */
export function reachesFurther(before: Reach, after: Reach): boolean {
  const isBackOn = before.status !== 'active' && after.status === 'active'
  const isLonger = endOf(after) > endOf(before)
  const isOpen = before.allowed_ips.length > 0 && after.allowed_ips.length === 0
  const isFromMore = before.allowed_ips.length > 0 && after.allowed_ips.some((ip) => !before.allowed_ips.includes(ip))
  return isBackOn || isLonger || isOpen || isFromMore
}

function endOf({ expires_at: end }: Reach): number {
  return end?.getTime() ?? Infinity
}

/** Returns the action of this name, or undefined. */
export function readAction(name: string): 'active' | 'inactive' | 'rotate' | undefined {
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name as ApiKeyAction] : undefined
}

function readScopes(names: readonly string[]): { scopes: Scope[] } | { unknown: string } {
  const chosen = new Set<Scope>()
  for (const name of names) {
    const scope = Object.hasOwn(SCOPE_ALIASES, name) ? SCOPE_ALIASES[name] : SCOPES.find((known) => known === name)
    if (scope === undefined) return { unknown: name }
    chosen.add(scope)
  }
  return { scopes: SCOPES.filter((scope) => chosen.has(scope)) }
}

function isPreset(name: string): name is Preset {
  return Object.hasOwn(PRESETS, name)
}

/** Returns an address or network as CIDR text: a single address is a network of one. */
export function asNetwork(text: string): string {
  if (text.includes('/')) return text
  return `${text}/${text.includes(':') ? 128 : 32}`
}

/** Whether a key's last use is due to be written. */
export function isUseDue(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= NOTE_USE_EVERY_MS
}
