/** Every page of a list or of settings while its answer is on the way, and when it does not come. */
import { API, type Changes, HELD, REFUSED } from '../answers.ts'
import { withMail } from '../access/account-screens.ts'
import type { Screen } from '../camera.ts'
import type { Seed } from '../seed.ts'

const P = `${API}/external-platform/*`

type Page = {
  readonly name: string
  readonly path: string
  /** The answer it waits for. */
  readonly answer: string
  readonly title: string
  /** What could not be loaded, where the page has a word for it. */
  readonly thing?: string
  readonly more?: Changes
}

/** The mail server is asked for once there is one. */
const WITH_MAIL: Changes = { [`${API}/configuration/default`]: withMail }

function pages(project: string): readonly Page[] {
  const settings = `/settings/account/${project}`
  const webhooks = '/developers?tabId=webhooks'
  return [
    { name: 'developers-keys', path: '/developers?tabId=apiKeys', answer: `${P}/api-key`, title: 'Developers' },
    { name: 'endpoints', path: webhooks, answer: `${P}/webhook`, title: 'Developers' },
    {
      name: 'endpoint-deliveries',
      path: `${webhooks}&open=1&view=deliveries`,
      answer: `${P}/webhook/1/deliveries*`,
      title: 'Developers',
    },
    { name: 'event-log', path: '/developers?tabId=events', answer: `${P}/events*`, title: 'Developers' },
    {
      name: 'deposit-wallets',
      path: '/manageWallet/deposit-wallet',
      answer: `${API}/wallets*`,
      title: 'Deposit wallets',
    },
    {
      name: 'settings',
      path: '/settings',
      answer: `${API}/external-platform/all`,
      title: 'Settings',
      thing: 'Failed to fetch projects',
    },
    {
      name: 'project-settings',
      path: `${settings}?tab=projectDetails`,
      answer: `${API}/external-platform/${project}`,
      title: 'Details',
    },
    { name: 'payment-policy', path: `${settings}?tab=checkout`, answer: `${P}/payment-policy`, title: 'Details' },
    { name: 'profile', path: '/settings/profile', answer: `${API}/member/me`, title: 'Profile' },
    { name: 'security', path: '/settings/security', answer: `${API}/member/me/sessions`, title: 'Security' },
    {
      name: 'payment-methods',
      path: '/settings/payment-methods',
      answer: `${API}/project/*/payment-options`,
      title: 'Payment methods',
    },
    {
      name: 'wallet-connect',
      path: '/settings/wallet-connect',
      answer: `${API}/configuration/default`,
      title: 'Wallet connect',
    },
    { name: 'mail', path: '/settings/email', answer: `${API}/config/smtp`, title: 'E-mail', more: WITH_MAIL },
    {
      name: 'blockchains',
      path: '/settings/blockchains',
      answer: `${API}/blockchains*`,
      title: 'Blockchains',
    },
    { name: 'blockchain', path: '/settings/blockchains/BASE', answer: `${API}/blockchains*`, title: 'Settings' },
  ]
}

/** Each page twice. */
export function waitingScreens({ shop: { project } }: Seed): readonly Screen[] {
  return pages(project).flatMap(({ name, path, answer, title, thing = /couldn’t be loaded/, more }) => [
    { name: `${name}-waiting`, set: 'C' as const, path, shows: title, alters: { ...more, [answer]: HELD } },
    { name: `${name}-failed`, path, shows: thing, alters: { ...more, [answer]: REFUSED } },
  ])
}

const without = (answer: object) => ({ ...answer, data: [], total: 0, nextCursor: null })

/** Lists without a row. */
export function emptyScreens(): readonly Screen[] {
  return [
    {
      name: 'developers-keys-none',
      path: '/developers?tabId=apiKeys',
      shows: 'No keys',
      alters: { [`${P}/api-key`]: () => [] },
    },
    {
      name: 'deliveries-nothing-sent',
      path: '/developers?tabId=webhooks&open=1&view=deliveries',
      shows: 'Nothing was sent yet',
      alters: { [`${P}/webhook/1/deliveries*`]: without },
    },
    {
      name: 'event-log-nothing',
      path: '/developers?tabId=events',
      shows: 'Nothing has happened yet',
      alters: { [`${P}/events*`]: without },
    },
    {
      name: 'system-health-waiting',
      path: '/settings/system',
      shows: 'System health',
      alters: {
        [`${API}/ledger/check`]: HELD,
        [`${API}/system/alarms`]: HELD,
        [`${API}/ticker`]: HELD,
        [`${API}/health`]: HELD,
        [`${API}/version`]: HELD,
        [`${API}/system/backups`]: HELD,
        [`${API}/blockchains*`]: HELD,
        [`${API}/system/site-url`]: HELD,
        [`${API}/configuration/key/*`]: HELD,
      },
    },
    {
      name: 'settings-found',
      path: '/settings?query=node',
      shows: 'Settings',
    },
    { name: 'settings-none-found', path: '/settings?query=zzzz', shows: 'No setting is called that.' },
  ]
}
