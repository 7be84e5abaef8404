import { SETTINGS } from '@kassa/contract/settings/keys.ts'
import { describe, expect, it } from 'vitest'

import { checkValue, passkeyHostOf, settingEntry, splitItems } from './rules.ts'

const check = (key: string, value: string) => {
  const entry = settingEntry(key)
  if (!entry) throw new Error(`no setting ${key}`)
  return checkValue(entry.form, value)
}

describe('settings.checkValue', () => {
  it.each([
    ['payram.frontend', 'https://Pay.Example.com/', 'https://pay.example.com'],
    ['payram.backend', 'http://localhost:8080', 'http://localhost:8080'],
    ['payram.websocket.server.url', 'wss://pay.example.com/ws', 'wss://pay.example.com/ws'],
    [
      'security.allowed_origins',
      'https://a.example, https://b.example/\nhttp://c',
      'https://a.example,https://b.example,http://c',
    ],
    ['security.allowed_origins', '', ''],
    ['security.egress_allow', 'webhook:10.0.0.0/8 node:fd00::/8', 'webhook:10.0.0.0/8,node:fd00::/8'],
    ['security.second_factor', 'always', 'always'],
    ['security.session_idle_minutes', '030', '30'],
    ['withdrawal-payout-min-amount', '12.50', '12.50'],
    ['wallet_connect_id', 'abc', 'abc'],
    ['merchant.webhook.apikey', ' sixteen-letters! ', 'sixteen-letters!'],
    ['payram.templates.email.body', ' <b>{{.OTP}}</b>\n', ' <b>{{.OTP}}</b>\n'],
  ])('takes %s = %j', (key, value, stored) => {
    expect(check(key, value)).toEqual({ value: stored })
  })

  it.each([
    ['payram.frontend', 'https://pay.example.com/path'],
    ['payram.frontend', 'https://user@pay.example.com'],
    ['payram.frontend', 'javascript:alert(1)'],
    ['payram.frontend', ''],
    ['payram.websocket.server.url', 'https://pay.example.com'],
    ['security.allowed_origins', 'https://a.example,nonsense'],
    ['security.egress_allow', '10.0.0.0/8'],
    ['security.egress_allow', 'webhook:10.0.0.256/8'],
    ['security.egress_allow', 'webhook:10.0.0.0/33'],
    ['security.egress_allow', 'node:fd00::zz/8'],
    ['security.egress_allow', 'everything:10.0.0.0/8'],
    ['security.second_factor', 'sometimes'],
    ['security.session_idle_minutes', '4'],
    ['security.session_idle_minutes', '1441'],
    ['security.session_idle_minutes', '1e2'],
    ['withdrawal-payout-min-amount', '-1'],
    ['withdrawal-payout-min-amount', '1.1234567'],
    ['wallet_connect_id', 'x'.repeat(65)],
    ['merchant.webhook.apikey', 'fifteen-letters'],
    ['merchant.webhook.apikey', 'sixteen-letters!\nx-evil: 1'],
    ['merchant.webhook.apikey', 'ключ-ключ-ключ-ключ'],
    ['postal.endpoint', 'a\u0000b'],
    ['payram.templates.email.body', 'x'.repeat(65_537)],
  ])('refuses %s = %j with a sentence', (key, value) => {
    expect(check(key, value)).toEqual({ reason: expect.stringMatching(/^The value must /) })
  })

  it('gives every default a value its own form accepts', () => {
    const defaults = Object.entries(SETTINGS).flatMap(([key, entry]) =>
      entry.default === undefined ? [] : [{ key, value: entry.default }],
    )
    expect(defaults.map(({ key, value }) => ({ key, ...check(key, value) }))).toEqual(defaults)
  })
})

describe('settings.settingEntry', () => {
  it('knows no setting by the name of an object part', () => {
    expect(settingEntry('constructor')).toBeUndefined()
    expect(settingEntry('payram.nothing')).toBeUndefined()
  })
})

describe('settings.splitItems', () => {
  it('splits at commas, spaces and line breaks', () => {
    expect(splitItems(' a, b\nc,,')).toEqual(['a', 'b', 'c'])
  })
})

describe('settings.passkeyHostOf', () => {
  it.each([
    ['https://pay.example.com', 'pay.example.com'],
    ['https://pay.example.com:8443', 'pay.example.com'],
    ['http://localhost:8080', 'localhost'],
    ['http://pay.example.com', null],
    ['https://203.0.113.7', null],
    ['https://[2001:db8::1]', null],
    [null, null],
  ])('of %j is %j', (siteUrl, host) => {
    expect(passkeyHostOf(siteUrl)).toBe(host)
  })
})
