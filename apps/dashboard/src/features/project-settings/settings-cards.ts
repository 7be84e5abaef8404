import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import type { DefaultConfiguration } from '@kassa/contract/settings/schemas.ts'

import type { Can } from '../../api/me.ts'
import type { ListedProject } from '../../api/projects.ts'

/** One way to a setting: where it leads, and how things stand there; further ways stand behind it. */
export type SettingsLine = {
  readonly label: string
  readonly href: string
  readonly state?: string | undefined
  readonly more?: readonly { readonly label: string; readonly href: string }[]
}

export type SettingsCard = { readonly title: string; readonly text: string; readonly lines: readonly SettingsLine[] }

/** What the states are made of; absent while it is not known, or may not be read. */
export type SettingsFacts = {
  readonly can: Can
  readonly email?: string | undefined
  readonly projects?: readonly ListedProject[] | undefined
  readonly configuration?: DefaultConfiguration | undefined
  readonly blockchains?: readonly Blockchain[] | undefined
  readonly alarms?: readonly Alarm[] | undefined
}

/** Returns the ways to every setting the operator may read, by subject. */
export function settingsCards(facts: SettingsFacts): SettingsCard[] {
  const cards = [projectsCard(facts), youCard(facts), moneyCard(facts), serverCard(facts), developersCard(facts)]
  return cards.filter(({ title, lines }) => lines.length > 0 || title === 'Projects')
}

/** Returns what of the cards holds every word that is looked for; a card whose title does is kept whole. */
export function foundCards(cards: readonly SettingsCard[], query: string): SettingsCard[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  return cards
    .map((card) => {
      if (holds(`${card.title} ${card.text}`)) return card
      return { ...card, lines: card.lines.filter((line) => holds(textOf(line))) }
    })
    .filter(({ lines }) => words.length === 0 || lines.length > 0)
}

function textOf({ label, state = '', more = [] }: SettingsLine): string {
  return [label, state, ...more.map((way) => way.label)].join(' ')
}

function projectsCard({ projects = [] }: SettingsFacts): SettingsCard {
  return {
    title: 'Projects',
    text: 'Name, branding, checkout and mails of each project.',
    lines: projects.map(({ id, name, networkCount, currencyCount }) => ({
      label: name,
      href: `/settings/account/${id}?tab=projectDetails`,
      state: `${amount(networkCount, 'network')} · ${amount(currencyCount, 'asset')}`,
      more: [
        { label: 'Branding', href: `/settings/account/${id}?tab=branding` },
        { label: 'Checkout', href: `/settings/account/${id}?tab=checkout` },
        { label: 'Notifications', href: `/settings/account/${id}?tab=notifications` },
      ],
    })),
  }
}

function youCard({ email }: SettingsFacts): SettingsCard {
  return {
    title: 'You',
    text: 'Your name, your own access, and how Kassa looks to you.',
    lines: [
      { label: 'Profile', href: '/settings/profile', state: email },
      { label: 'Security', href: '/settings/security', state: 'Password, signed-in devices' },
    ],
  }
}

function moneyCard({ can }: SettingsFacts): SettingsCard {
  return {
    title: 'Money',
    text: 'Where customers pay, and who could move it.',
    lines: only([
      can('wallet:read') && {
        label: 'Deposit wallets',
        href: '/manageWallet/deposit-wallet',
        state: 'Addresses are derived from public keys',
      },
    ]),
  }
}

function serverCard({ can, configuration, blockchains, alarms }: SettingsFacts): SettingsCard {
  const on = blockchains?.filter(({ status }) => status === 'active').length
  return {
    title: 'Server',
    text: 'What payments are read through, and whether all of it runs.',
    lines: only([
      can('blockchain:read') && {
        label: 'Blockchains and nodes',
        href: '/settings/blockchains',
        state: on === undefined ? undefined : `${on} of ${amount(blockchains?.length ?? 0, 'network')} on`,
      },
      can('settings:read') && {
        label: 'E-mail',
        href: '/settings/email',
        state: configuration && (configuration.features.smtp ? 'A mail server is set' : 'No mail server yet'),
      },
      can('system:read') && {
        label: 'System health',
        href: '/settings/system',
        state: alarms && (alarms.length === 0 ? 'Nothing needs a hand' : `${amount(alarms.length, 'thing')} to see to`),
      },
      can('settings:read') && {
        label: 'Addresses and allowed origins',
        href: '/settings/system',
        state: configuration && (configuration.siteURL ?? 'No public address yet'),
      },
    ]),
  }
}

function developersCard({ can }: SettingsFacts): SettingsCard {
  return {
    title: 'Developers',
    text: 'What programs call with, and where events are sent.',
    lines: only([
      can('api_key:read') && { label: 'API keys', href: '/developers?tabId=apiKeys' },
      can('webhook:read') && { label: 'Webhooks', href: '/developers?tabId=webhooks' },
    ]),
  }
}

function only(lines: readonly (SettingsLine | false)[]): SettingsLine[] {
  return lines.filter((line) => line !== false)
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
