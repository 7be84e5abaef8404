import type { ApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { PRESETS } from '@kassa/contract/permissions.ts'
import type { Preset } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'

import { timeAgo } from '../../../lib/time/time.ts'
import type { Tone } from '../../../ui/feedback/tones.ts'

/** A key that ends within this time is worth a look. */
const EXPIRES_SOON_MS = 14 * 24 * 60 * 60_000

/** Named sets of scopes, as the creating screen offers them. */
export const PRESET_NAMES: Readonly<Record<Preset, MessageDescriptor>> = {
  merchant: msg`Merchant`,
  payments: msg`Payments`,
  payouts: msg`Payouts`,
  referrals: msg`Referrals`,
  read_only: msg`Read only`,
}

export const PRESET_ORDER: readonly Preset[] = ['merchant', 'payments', 'payouts', 'referrals', 'read_only']

/** Returns a key's state as a word with its tone. */
export function apiKeyState(key: ApiKey, now: Date): { tone: Tone; word: string } {
  const { status, expiresAt, lastUsedAt } = key
  if (status === 'inactive') return { tone: 'neutral', word: t`Off` }
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - now.getTime()
  if (leftMs <= 0) return { tone: 'neutral', word: t`Expired` }
  if (leftMs <= EXPIRES_SOON_MS) return { tone: 'warning', word: t`Expires soon` }
  return lastUsedAt === null ? { tone: 'info', word: t`Never used` } : { tone: 'success', word: t`Active` }
}

/** Returns what a key may do: the name of a set when it is one, else how many scopes. */
export function accessName(scopes: readonly string[]): string {
  const preset = PRESET_ORDER.find((name) => hasSame(PRESETS[name], scopes))
  if (preset !== undefined) return t(PRESET_NAMES[preset])
  const count = scopes.length
  return plural(count, { one: '# scope', other: '# scopes' })
}

function hasSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope))
}

/** Returns what a key is called. */
export function keyName({ name, last4 }: ApiKey): string {
  return name === '' ? last4 : name
}

/** Returns when a key was last used, as a sentence. */
export function lastUseText({ lastUsedAt }: ApiKey): string {
  if (lastUsedAt === null) return t`It was never used.`
  const time = timeAgo(lastUsedAt, new Date())
  return t`It was last used ${time}.`
}
