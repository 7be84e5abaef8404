import { HEADER_VALUE, isHttpUrl } from '@kassa/contract/kit/fields.ts'
import { EGRESS_PURPOSES, SETTINGS, type SettingEntry, type SettingForm } from '@kassa/contract/settings/keys.ts'

/** US dollars as a setting: at least 0, at most 12 digits before and 6 after the point. */
const USD = /^\d{1,12}(\.\d{1,6})?$/
const IPV4_NETWORK = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/
const IPV6_NETWORK = /^[0-9a-f:.]*:[0-9a-f:.]*\/(\d{1,3})$/i

/** Returns the catalogue's entry of a setting, or undefined when no setting has this key. */
export function settingEntry(key: string): SettingEntry | undefined {
  return Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined
}

/**
 * Returns the host name for which passkeys are created (the RP ID of WebAuthn 3). Null where browsers create none: for an IP
 * address, and without https anywhere but on localhost.
 */
export function passkeyHostOf(siteUrl: string | null): string | null {
  const url = siteUrl === null ? null : URL.parse(siteUrl)
  if (url === null || /^[\d.]+$|^\[/.test(url.hostname)) return null
  return url.protocol === 'https:' || url.hostname === 'localhost' ? url.hostname : null
}

export type CheckedValue = { readonly value: string } | { readonly reason: string }

/** Checks a value by its setting's form; returns the value to store, or a sentence that says what is accepted. */
export function checkValue(form: SettingForm, text: string): CheckedValue {
  const value = text.trim()
  switch (form.kind) {
    case 'origin':
      return checkOrigin(value)
    case 'websocketUrl':
      return checkWebsocketUrl(value)
    case 'origins':
      return checkEach(value, checkOrigin)
    case 'egress':
      return checkEach(value, checkEgress)
    case 'word':
      return form.words.includes(value) ? { value } : { reason: `The value must be one of: ${form.words.join(', ')}` }
    case 'wholeNumber':
      return checkWholeNumber(value, form)
    case 'usd':
      return USD.test(value) ? { value } : { reason: 'The value must be an amount in US dollars such as 12.50' }
    case 'secret':
      return checkSecret(value, form)
    case 'text':
      return checkLength(text, form.max)
  }
}

function checkSecret(
  value: string,
  { min, max, isHeader }: { min: number; max: number; isHeader?: true },
): CheckedValue {
  if (value.length < min) return { reason: `The value must be at least ${min} characters long` }
  if (isHeader && !HEADER_VALUE.test(value)) {
    return { reason: 'The value must be letters, digits and signs without spaces' }
  }
  return checkLength(value, max)
}

function checkLength(value: string, max: number): CheckedValue {
  // PostgreSQL cannot store U+0000 in text.
  if (value.includes('\u0000')) return { reason: 'The value must not contain null characters' }
  return value.length <= max ? { value } : { reason: `The value must be at most ${max} characters long` }
}

function checkWholeNumber(value: string, { min, max }: { min: number; max: number }): CheckedValue {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : -1
  return number >= min && number <= max
    ? { value: String(number) }
    : { reason: `The value must be between ${min} and ${max}` }
}

function checkOrigin(value: string): CheckedValue {
  const url = isHttpUrl(value) ? URL.parse(value) : null
  return url && url.pathname === '/' && url.search === '' && url.hash === ''
    ? { value: url.origin }
    : { reason: 'The value must be an http or https origin without a path, such as https://pay.example.com' }
}

function checkWebsocketUrl(value: string): CheckedValue {
  const url = value.length <= 2048 ? URL.parse(value) : null
  return url && (url.protocol === 'ws:' || url.protocol === 'wss:') && url.username === '' && url.password === ''
    ? { value }
    : { reason: 'The value must be a ws or wss address' }
}

/** `webhook:10.0.0.0/8`: what may be called, and the network it may be called in. */
function checkEgress(value: string): CheckedValue {
  const [, purpose = '', network = ''] = /^([a-z]+):(.+)$/.exec(value) ?? []
  return EGRESS_PURPOSES.some((name) => name === purpose) && isNetwork(network)
    ? { value }
    : { reason: 'The value must list networks such as webhook:10.0.0.0/8; purposes are webhook, smtp, node and price' }
}

function isNetwork(text: string): boolean {
  const v4 = IPV4_NETWORK.exec(text)
  if (v4) return v4.slice(1, 5).every((part) => Number(part) <= 255) && Number(v4[5]) <= 32
  const v6 = IPV6_NETWORK.exec(text)
  return v6 !== null && Number(v6[1]) <= 128 && URL.parse(`http://[${text.slice(0, text.indexOf('/'))}]`) !== null
}

/** Items separated by commas, spaces or line breaks; each is checked, the first that fails gives the reason. */
function checkEach(text: string, check: (item: string) => CheckedValue): CheckedValue {
  const checked = splitItems(text).map(check)
  const refused = checked.find((item) => 'reason' in item)
  if (refused) return refused
  return { value: checked.flatMap((item) => ('value' in item ? [item.value] : [])).join(',') }
}

/** Returns the items of a stored list. */
export function splitItems(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '')
}
