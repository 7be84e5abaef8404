import { PRESETS } from '@kassa/contract/permissions.ts'
import type { Preset } from '@kassa/contract/permissions.ts'
import { t } from '@lingui/core/macro'

import type { ApiKeyRequest } from '../../../api/api-keys.ts'
import type { Can } from '../../../api/me.ts'
import { listText } from '../../../lib/text/list-text.ts'
import type { SelectOption } from '../../../ui/fields/Select.tsx'
import { PRESET_NAMES, PRESET_ORDER } from './api-key-states.ts'
import { utcIso } from '../../../lib/time/time.ts'

const DAY_MS = 24 * 60 * 60_000

/** Returns how long a key can last; the values are days. */
export function lifetimeOptions(): SelectOption[] {
  return [
    { value: '', label: t`Never` },
    { value: '30', label: t`In 30 days` },
    { value: '90', label: t`In 90 days` },
    { value: '365', label: t`In 1 year` },
  ]
}

export type NewKeyValues = {
  readonly projectId: string
  readonly name: string
  readonly preset: string
  /** Days, empty for no expiry. */
  readonly lifetime: string
}

/** Returns the named sets of access; one that holds a scope the operator lacks is disabled and says which. */
export function presetOptions(can: Can, projectId: string): SelectOption[] {
  return PRESET_ORDER.map((value) => {
    const access = t(PRESET_NAMES[value])
    const missing = PRESETS[value].find((scope) => !can(scope, projectId))
    if (missing === undefined) return { value, label: access }
    return { value, label: t`${access} (you lack ${missing})`, disabled: true }
  })
}

/** Returns what a set of access allows, in words of the catalogue. */
export function presetHint(preset: string): string {
  const scopes = PRESETS[preset as Preset] ?? []
  const list = listText(scopes)
  return scopes.includes('payout:create') ? t`${list}. A key only asks for payouts; people approve them.` : t`${list}.`
}

/** Returns every field of the form that fails, with its text. */
export function newKeyErrors({ projectId, name }: NewKeyValues): Partial<Record<keyof NewKeyValues, string>> {
  return {
    ...(projectId === '' ? { projectId: t`Project is required` } : {}),
    ...(name.trim() === '' ? { name: t`Name is required` } : {}),
    ...(name.trim().length > 100 ? { name: t`Name must be at most 100 characters long` } : {}),
  }
}

/** Returns the request for a key. */
export function newKeyRequest({ name, preset, lifetime }: NewKeyValues, now: Date): ApiKeyRequest {
  const expiresAt = lifetime === '' ? null : utcIso(new Date(now.getTime() + Number(lifetime) * DAY_MS))
  return { name: name.trim(), preset, expiresAt }
}
