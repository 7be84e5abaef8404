import type { ApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { MAX_ALLOWED_IPS } from '@kassa/contract/api-keys/limits.ts'
import { plural, t } from '@lingui/core/macro'

import type { ApiKeyChange } from '../../../api/api-keys.ts'
import { dayAndMinute, utcIso } from '../../../lib/time/time.ts'
import type { SelectOption } from '../../../ui/fields/Select.tsx'
import { lifetimeOptions } from './new-key-form.ts'

const DAY_MS = 24 * 60 * 60_000

/** The key's end stays as it is. */
const KEEP = 'keep'

export type KeyValues = {
  readonly name: string
  readonly scopes: ReadonlySet<string>
  /** One address or network a line. */
  readonly allowedIPs: string
  /** Days from now, empty for no expiry, or `keep`. */
  readonly lifetime: string
}

/** Returns what the form starts with. */
export function keyValues({ name, scopes, allowedIPs }: ApiKey): KeyValues {
  return { name, scopes: new Set(scopes), allowedIPs: allowedIPs.map(withoutOwn).join('\n'), lifetime: KEEP }
}

/** A single address is stored as a network of one. */
function withoutOwn(network: string): string {
  return network.replace(/^([\d.]+)\/32$|^([^.]+)\/128$/, '$1$2')
}

/** Returns when the key can end, as it does now first. */
export function endOptions({ expiresAt }: ApiKey): SelectOption[] {
  const [never, ...later] = lifetimeOptions()
  if (expiresAt === null) return [{ value: KEEP, label: t`Never` }, ...later]
  const time = dayAndMinute(expiresAt)
  return [{ value: KEEP, label: t`As before: ${time}` }, ...(never === undefined ? [] : [never]), ...later]
}

/** Returns every field of the form that fails, with its text. */
export function keyErrors({ name, allowedIPs }: KeyValues): Partial<Record<keyof KeyValues, string>> {
  return {
    ...(name.trim() === '' ? { name: t`Name is required` } : {}),
    ...(name.trim().length > 100 ? { name: t`Name must be at most 100 characters long` } : {}),
    ...(linesOf(allowedIPs).length > MAX_ALLOWED_IPS
      ? {
          allowedIPs: plural(MAX_ALLOWED_IPS, {
            one: 'At most # address or network',
            other: 'At most # addresses or networks',
          }),
        }
      : {}),
  }
}

/** Returns the change: only what differs from the key, so that another operator's change to the rest stays. */
export function keyChange(before: ApiKey, values: KeyValues, now: Date): ApiKeyChange {
  const start = keyValues(before)
  const name = values.name.trim()
  const scopes = [...values.scopes]
  const hasOtherScopes = scopes.length !== before.scopes.length || scopes.some((scope) => !start.scopes.has(scope))
  return {
    ...(name !== before.name && { name }),
    ...(hasOtherScopes && { scopes }),
    ...(values.allowedIPs !== start.allowedIPs && { allowedIPs: linesOf(values.allowedIPs) }),
    ...(values.lifetime !== KEEP && { expiresAt: endOf(values.lifetime, now) }),
  }
}

function endOf(lifetime: string, now: Date): string | null {
  return lifetime === '' ? null : utcIso(new Date(now.getTime() + Number(lifetime) * DAY_MS))
}

function linesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '')
}
