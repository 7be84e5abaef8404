import { describe, expect, it } from 'vitest'

import {
  chargeCommand,
  chargeRefusal,
  doCommands,
  findCommands,
  pageCommands,
  projectCommands,
  readCharge,
} from './commands.ts'
import type { PaletteContext } from './commands.ts'

const project = (id: number, name: string) => ({ id, name, networkCount: 0, currencyCount: 0 }) as never
const everything: PaletteContext = {
  projectId: '7',
  projects: [project(7, 'Acme'), project(8, 'Bar')],
  can: () => true,
}
const nothing: PaletteContext = { ...everything, can: () => false }

describe('readCharge', () => {
  it.each([
    ['charge 49', { amountInUSD: '49', customerEmail: '' }],
    ['Charge $49.50 a@example.com ', { amountInUSD: '49.50', customerEmail: 'a@example.com' }],
    ['charge 1,234.56', { amountInUSD: '1234.56', customerEmail: '' }],
    ['charge US$1,234 a@example.com', { amountInUSD: '1234', customerEmail: 'a@example.com' }],
    ['charge 49 USD a@example.com', { amountInUSD: '49', customerEmail: 'a@example.com' }],
    ['charge .5', { amountInUSD: '0.5', customerEmail: '' }],
    ['charge 5.', { amountInUSD: '5', customerEmail: '' }],
    ['charge', undefined],
    ['charge 1,5', undefined],
    ['charge 0,500', undefined],
    ['charge 0', undefined],
    ['charge 0.00', undefined],
    ['charge -4', undefined],
    ['charge 4,5', undefined],
    ['charge 1.234', undefined],
    ['charge 1e3', undefined],
    ['discharge 49', undefined],
    ['charge 49 nobody', undefined],
  ])('reads %j', (text, charge) => {
    expect(readCharge(text)).toEqual(charge)
  })
})

describe('chargeCommand', () => {
  it('makes the link with an e-mail, leads to the form without one', () => {
    expect(chargeCommand('charge 49 a@example.com', everything)).toMatchObject({
      label: 'Create payment link for $49.00 · Acme',
      run: 'charge',
    })
    expect(chargeCommand('charge 49', everything)?.href).toBe('/project/7/payments/createPaymentLink?amount=49')
  })

  it('is not offered without the permission, nor without knowing the project', () => {
    expect(chargeCommand('charge 49', nothing)).toBeUndefined()
    expect(chargeCommand('charge 49', { ...everything, projectId: 'all' })).toBeUndefined()
  })
})

describe('chargeRefusal', () => {
  it.each([
    ['charge', 'Go on with the amount: charge 49'],
    ['charge 1,5', 'For decimals use a point, as in 1.50'],
    ['charge 1.234,56 a@example.com', 'For decimals use a point, as in 1.50'],
    ['charge 1.234 a@example.com', 'At most 2 decimals. For thousands type no point: 1234'],
    ['charge 1234567890123', 'At most 12 digits before the point'],
    ['charge 5x', 'Digits and one decimal point only'],
    ['charge 49 a@exam', 'Go on with the customer’s e-mail address'],
    ['charge 49 a b@example.com', 'Go on with the customer’s e-mail address'],
  ])('says of %j: %s', (text, why) => {
    expect(chargeRefusal(text)).toBe(why)
  })

  it.each(['charge 1.50', 'charge $1,234', 'charge 49 a,b@example.com', 'charge back', 'discharge 1,5', '1,5'])(
    'says nothing of %j',
    (text) => {
      expect(chargeRefusal(text)).toBeUndefined()
    },
  )
})

describe('findCommands', () => {
  const all = [...doCommands(everything), ...pageCommands(everything), ...projectCommands(everything)]
  const labels = (text: string) => findCommands(text, all).map(({ label }) => label)

  it('finds by the beginning first, then by words, then by what is beside it', () => {
    expect(labels('cre').slice(0, 2)).toEqual(['Create payment link', 'Create API key'])
    expect(labels('pay').slice(0, 2)).toEqual(['Payouts', 'Payment methods'])
    expect(labels('theme')).toEqual(['Theme: System', 'Theme: Light', 'Theme: Dark'])
    expect(labels('acme')).toEqual(['Acme'])
    expect(labels('zzz')).toEqual([])
  })

  it('finds each place once, and tells the two dashboards apart', () => {
    expect(labels('create payment')).toEqual(['Create payment link'])
    expect(labels('go create payment')).toEqual(['Create payment link'])
    expect(labels('dashboard')).toEqual(['Dashboard', 'Growth dashboard'])
  })

  it('keeps the groups together', () => {
    const groups = findCommands('', all).map(({ group }) => group)
    expect(groups).toEqual([...Map.groupBy(groups, (group) => group).values()].flat())
    expect(labels('payouts')).toEqual(['Payouts', 'Referral payouts'])
  })

  it('finds commands alone after >, pages alone after go', () => {
    expect(new Set(findCommands('>', all).map(({ group }) => group))).toEqual(new Set(['commands']))
    expect(labels('go set')).toContain('Settings')
    expect(labels('go sign')).toEqual([])
  })

  it('shows only what the operator may open', () => {
    expect(pageCommands(nothing).map(({ label }) => label)).toEqual(['Settings', 'Security'])
    expect(doCommands(nothing).map(({ label }) => label)).toEqual([
      'Theme: System',
      'Theme: Light',
      'Theme: Dark',
      'Keyboard shortcuts',
      'Logout',
    ])
  })

  it('fills the project into every address', () => {
    expect(all.some(({ href = '' }) => href.includes('{'))).toBe(false)
  })

  it('names All Projects only where there are several', () => {
    expect(projectCommands(everything).map(({ label }) => label)).toEqual(['All Projects', 'Acme', 'Bar'])
    expect(projectCommands({ ...everything, projects: [project(7, 'Acme')] })).toHaveLength(1)
  })
})
