import type { Permission } from '@kassa/contract/permissions.ts'
import { describe, expect, it } from 'vitest'

import type { ListedProject } from '../../../api/projects.ts'
import { project, sandboxConfiguration } from '../../../testing/answers.ts'
import { foundCards, settingsCards } from './settings-cards.ts'
import type { SettingsFacts } from './settings-cards.ts'

const acme = {
  ...project(7, 'Acme'),
  networkCount: 3,
  currencyCount: 1,
  hasDepositWallet: true,
} as unknown as ListedProject

/** What an operator with these permissions is shown. */
function cards(permissions: readonly Permission[], facts: Partial<SettingsFacts> = {}) {
  return settingsCards({ can: (permission) => permissions.includes(permission), projects: [acme], ...facts })
}
const labels = (found: ReturnType<typeof cards>) =>
  found.map(({ title, lines }) => `${title}: ${lines.map(({ label }) => label).join(', ')}`)

describe('settingsCards', () => {
  it('leads only to what the operator may read', () => {
    expect(labels(cards([]))).toEqual(['Projects: Acme', 'You: Profile, Security'])
    expect(labels(cards(['settings:read', 'webhook:read']))).toEqual([
      'Projects: Acme',
      'You: Profile, Security',
      'Server: E-mail, Wallet connect, Public URL and allowed origins',
      'Developers: Webhooks',
    ])
  })

  it('says how things stand, once that is known', () => {
    const configuration = sandboxConfiguration as SettingsFacts['configuration']
    const states = (facts: Partial<SettingsFacts>) =>
      cards(['settings:read', 'system:read'], facts)
        .flatMap(({ lines }) => lines)
        .map(({ state }) => state)
    expect(states({})).toEqual([
      '3 networks · 1 asset',
      undefined,
      'Password, second factor, signed-in devices',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(states({ configuration, alarms: [], email: 'ada@shop.example' })).toEqual([
      '3 networks · 1 asset',
      'ada@shop.example',
      'Password, second factor, signed-in devices',
      'No mail server yet',
      'No project id yet',
      'Nothing needs attention',
      'http://localhost:8080',
    ])
  })

  it('counts networks and alarms', () => {
    const networks = [{ status: 'active' }, { status: 'inactive' }] as unknown as SettingsFacts['blockchains']
    const alarms = [{}, {}] as unknown as SettingsFacts['alarms']
    const [, , server] = cards(['blockchain:read', 'system:read'], { blockchains: networks, alarms })
    expect(server?.lines.map(({ state }) => state)).toEqual(['1 of 2 networks on', '2 things need attention'])
    const one = { blockchains: networks?.slice(0, 1), alarms: alarms?.slice(0, 1) }
    expect(cards(['blockchain:read', 'system:read'], one)[2]?.lines.map(({ state }) => state)).toEqual([
      '1 of 1 network on',
      '1 thing needs attention',
    ])
  })
})

describe('foundCards', () => {
  const all = cards(['settings:read', 'blockchain:read'])

  it('keeps the lines that hold every word, by their label, state or what is behind them', () => {
    expect(labels(foundCards(all, 'branding'))).toEqual(['Projects: Acme'])
    expect(labels(foundCards(all, 'node'))).toEqual(['Server: Blockchains and nodes'])
    expect(labels(foundCards(all, 'devices signed'))).toEqual(['You: Security'])
    expect(foundCards(all, 'nowhere')).toEqual([])
  })

  it('keeps a card whole whose title holds them, and everything while nothing is looked for', () => {
    expect(labels(foundCards(all, 'server'))).toContain(
      'Server: Blockchains and nodes, E-mail, Wallet connect, Public URL and allowed origins',
    )
    expect(foundCards(all, ' ')).toHaveLength(all.length)
  })
})
