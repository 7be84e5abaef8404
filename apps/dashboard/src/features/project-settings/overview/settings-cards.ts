import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import type { DefaultConfiguration } from '@kassa/contract/settings/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { projectSize } from '../../../labels/project-size.ts'
import { paths } from '../../../lib/paths.ts'
import type { Can } from '../../../api/me.ts'
import type { ListedProject } from '../../../api/projects.ts'

/** One way to a setting: where it leads, and how things stand there; further ways stand behind it. */
export type SettingsLine = {
  readonly label: string
  readonly href: string
  readonly state?: string | undefined
  readonly more?: readonly { readonly label: string; readonly href: string }[]
}

export type SettingsCard = {
  readonly id: 'projects' | 'you' | 'people' | 'money' | 'server' | 'developers'
  readonly title: string
  readonly text: string
  readonly lines: readonly SettingsLine[]
}

/** What the states are made of; absent while it is not known, or may not be read. */
export type SettingsFacts = {
  readonly can: Can
  readonly email?: string | undefined
  readonly projects?: readonly ListedProject[] | undefined
  readonly configuration?: DefaultConfiguration | undefined
  readonly blockchains?: readonly Blockchain[] | undefined
  readonly alarms?: readonly Alarm[] | undefined
  /** How many members there are. */
  readonly members?: number | undefined
}

/** Returns the ways to every setting the operator may read, by subject. */
export function settingsCards(facts: SettingsFacts): SettingsCard[] {
  const cards = [
    projectsCard(facts),
    youCard(facts),
    peopleCard(facts),
    moneyCard(facts),
    serverCard(facts),
    developersCard(facts),
  ]
  return cards.filter(({ id, lines }) => lines.length > 0 || id === 'projects')
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
    id: 'projects',
    title: t`Projects`,
    text: t`Name, branding, checkout and mails of each project.`,
    lines: projects.map(({ id, name, ...project }) => ({
      label: name,
      href: paths.projectSettings({ projectId: id }, { tab: 'projectDetails' }),
      state: projectSize(project),
      more: [
        { label: t`Branding`, href: paths.projectSettings({ projectId: id }, { tab: 'branding' }) },
        { label: t`Checkout`, href: paths.projectSettings({ projectId: id }, { tab: 'checkout' }) },
        { label: t`Notifications`, href: paths.projectSettings({ projectId: id }, { tab: 'notifications' }) },
      ],
    })),
  }
}

function youCard({ email }: SettingsFacts): SettingsCard {
  return {
    id: 'you',
    title: t({ message: 'You', comment: 'heading over the settings of the person signed in' }),
    text: t`Your name, your own access, and how Kassa looks to you.`,
    lines: [
      { label: t`Profile`, href: paths.profile(), state: email },
      { label: t`Security`, href: paths.security(), state: t`Password, second factor, signed-in devices` },
    ],
  }
}

function peopleCard({ can, members }: SettingsFacts): SettingsCard {
  return {
    id: 'people',
    title: t`People`,
    text: t`Who may sign in, and what they may do.`,
    lines: only([
      can('operator:read') && {
        label: t`Members`,
        href: paths.members(),
        state: members === undefined ? undefined : t`${plural(members, { one: '# member', other: '# members' })}`,
      },
      can('role:read') && { label: t`Roles`, href: paths.roles(), state: t`Built-in roles and your own` },
      can('audit:read') && { label: t`Audit log`, href: paths.auditLog(), state: t`Who did what, verifiable` },
    ]),
  }
}

function moneyCard({ can }: SettingsFacts): SettingsCard {
  return {
    id: 'money',
    title: t`Money`,
    text: t`Where customers pay, and who could move it.`,
    lines: only([
      can('project:read') && {
        label: t`Payment methods`,
        href: paths.paymentMethods(),
        state: t`What customers of each project may pay with`,
      },
      can('wallet:read') && {
        label: t`Deposit wallets`,
        href: paths.depositWallets(),
        state: t`Addresses are derived from public keys`,
      },
      can('payout:read') && {
        label: t`Payout policy`,
        href: paths.payoutPolicy(),
        state: t`When money may leave, and who must agree`,
      },
    ]),
  }
}

function serverCard({ can, configuration, blockchains, alarms }: SettingsFacts): SettingsCard {
  return {
    id: 'server',
    title: t`Server`,
    text: t`What payments are read through, and whether all of it runs.`,
    lines: only([
      can('blockchain:read') && {
        label: t`Blockchains and nodes`,
        href: paths.blockchains(),
        state: blockchains && networksState(blockchains),
      },
      can('settings:read') && {
        label: t`E-mail`,
        href: paths.email(),
        state: configuration && (configuration.features.smtp ? t`A mail server is set` : t`No mail server yet`),
      },
      configuration?.features.sandbox === true &&
        can('sandbox:use') && {
          label: t`Sandbox mail`,
          href: paths.sandboxMail(),
          state: configuration.features.smtp ? t`E-mails are sent` : t`E-mails are kept, not sent`,
        },
      can('settings:read') && {
        label: t`Wallet connect`,
        href: paths.walletConnect(),
        state: configuration && (configuration.walletConnectID === '' ? t`No project id yet` : t`A project id is set`),
      },
      can('vault:read') && {
        label: t`Vault`,
        href: paths.vault(),
        state: t`Passwords and keys that Kassa holds`,
      },
      can('system:read') && {
        label: t`System health`,
        href: paths.systemHealth(),
        state: alarms && healthState(alarms.length),
      },
      can('settings:read') && {
        label: t`Public URL and allowed origins`,
        href: paths.systemHealth(),
        state: configuration && (configuration.siteURL ?? t`No public URL yet`),
      },
    ]),
  }
}

function networksState(blockchains: readonly Blockchain[]): string {
  const all = blockchains.length
  const on = blockchains.filter(({ status }) => status === 'active').length
  return t`${on} of ${plural(all, { one: '# network', other: '# networks' })} on`
}

function healthState(alarms: number): string {
  if (alarms === 0) return t`Nothing needs attention`
  return t`${plural(alarms, { one: '# thing needs attention', other: '# things need attention' })}`
}

function developersCard({ can }: SettingsFacts): SettingsCard {
  return {
    id: 'developers',
    title: t`Developers`,
    text: t`What programs call with, and where events are sent.`,
    lines: only([
      can('api_key:read') && { label: t`API keys`, href: paths.developers({ tabId: 'apiKeys' }) },
      can('webhook:read') && { label: t`Webhooks`, href: paths.developers({ tabId: 'webhooks' }) },
    ]),
  }
}

function only(lines: readonly (SettingsLine | false)[]): SettingsLine[] {
  return lines.filter((line) => line !== false)
}
