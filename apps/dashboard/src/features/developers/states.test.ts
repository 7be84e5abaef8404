import type { ApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { PRESETS } from '@kassa/contract/permissions.ts'
import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { describe, expect, it } from 'vitest'

import { webhook } from '../../testing/webhook-answers.ts'
import { accessName, apiKeyState } from './api-keys/api-key-states.ts'
import { endpointState } from './deliveries/delivery-states.ts'
import { newKeyRequest, presetHint, presetOptions } from './api-keys/new-key-form.ts'
import { DEFAULT_EVENTS, eventsText, eventsToSend, OFFERED_EVENTS } from './choices/webhook-events.ts'

const now = new Date('2026-11-20T05:10:44Z')
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000)
const key = (more: Partial<ApiKey>) => ({ status: 'active', expiresAt: null, lastUsedAt: now, ...more }) as ApiKey

describe('apiKeyState', () => {
  it.each([
    ['Active', key({})],
    ['Never used', key({ lastUsedAt: null })],
    ['Expires soon', key({ expiresAt: inDays(14) })],
    ['Active', key({ expiresAt: inDays(15) })],
    ['Expired', key({ expiresAt: now })],
    ['Off', key({ status: 'inactive', expiresAt: now })],
  ])('is %s', (word, apiKey) => {
    expect(apiKeyState(apiKey, now).word).toBe(word)
  })
})

describe('endpointState', () => {
  const never = { health: 'idle', lastDeliveryAt: null, lastResponseCode: null }
  const endpoint = (more: object) => webhook({ lastDeliveryAt: now, ...more }) as unknown as Webhook
  it.each([
    ['Active', {}, undefined],
    ['Off', { status: 'inactive', lastResponseCode: 410 }, undefined],
    ['Failing', { health: 'failing', lastResponseCode: null }, undefined],
    ['Not answering', { lastResponseCode: null }, undefined],
    ['Answers 503', { lastResponseCode: 503 }, undefined],
    ['Untested', { ...never, tested: false }, undefined],
    ['Active', never, undefined],
    ['Test failed', {}, { success: false }],
    ['Test failed', { lastResponseCode: 503 }, { success: false }],
    ['Active', { lastResponseCode: 503 }, { success: true }],
  ])('is %s for %j after the test %j', (word, more, lastTest) => {
    expect(endpointState(endpoint(more), lastTest).word).toBe(word)
  })

  it('is green only for one that receives', () => {
    expect(endpointState(endpoint({})).tone).toBe('success')
    expect(endpointState(endpoint({ lastResponseCode: null })).tone).toBe('warning')
  })
})

describe('accessName', () => {
  it('names a set of scopes in any order, else counts them', () => {
    expect(accessName(PRESETS.merchant.toReversed())).toBe('Merchant')
    expect(accessName(['payment:read'])).toBe('1 scope')
    expect(accessName(['payment:read', 'payment:create'])).toBe('2 scopes')
  })
})

describe('eventsToSend', () => {
  it('sends nothing for the default, else the chosen ones in the order of the catalogue', () => {
    expect(eventsToSend(new Set(DEFAULT_EVENTS))).toBeUndefined()
    expect(eventsToSend(new Set(['payment.filled', 'payment.created']))).toEqual(['payment.created', 'payment.filled'])
  })
})

describe('eventsText', () => {
  it('says “all” only of all, and how many the default is of how many', () => {
    expect(eventsText([])).toBe(`${DEFAULT_EVENTS.length} of ${OFFERED_EVENTS.length} events (default)`)
    expect(eventsText(OFFERED_EVENTS)).toBe(`All ${OFFERED_EVENTS.length} events`)
    expect(eventsText(['payment.filled', 'payment.created'])).toBe('payment.filled, payment.created')
  })
})

describe('presetOptions', () => {
  it('disables access that holds a scope the operator lacks, and names it', () => {
    const options = presetOptions((permission) => permission !== 'payout:create', '7')
    expect(options.filter(({ disabled }) => disabled === true).map(({ label }) => label)).toEqual([
      'Merchant (you lack payout:create)',
      'Payouts (you lack payout:create)',
    ])
  })
})

describe('presetHint', () => {
  it('says of keys that ask for payouts that people approve them', () => {
    expect(presetHint('payouts')).toContain('A key only asks for payouts; people approve them.')
    expect(presetHint('payments')).not.toContain('people approve')
  })
})

describe('newKeyRequest', () => {
  it('counts the end of a key in whole days from now', () => {
    const values = { projectId: '7', name: ' Shop ', preset: 'payments' }
    expect(newKeyRequest({ ...values, lifetime: '30' }, now)).toEqual({
      name: 'Shop',
      preset: 'payments',
      expiresAt: '2026-12-20T05:10:44Z',
    })
    expect(newKeyRequest({ ...values, lifetime: '' }, now).expiresAt).toBeNull()
  })
})
