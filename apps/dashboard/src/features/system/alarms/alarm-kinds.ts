import type { Alarm, AlarmKind } from '@kassa/contract/alarms/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { paths } from '../../../lib/paths.ts'

type AlarmLook = { readonly tone: 'danger' | 'warning'; readonly word: MessageDescriptor }

/** An alarm's kind as a word; what can credit or lose money is danger, the rest waits. */
export const ALARM_WORDS: Readonly<Record<AlarmKind, AlarmLook>> = {
  chain_behind: { tone: 'warning', word: msg`Network behind` },
  chain_silent: { tone: 'warning', word: msg`Network silent` },
  chain_halted: { tone: 'danger', word: msg`Chain reading stopped` },
  block_quarantined: { tone: 'danger', word: msg`Block could not be read` },
  node_forked: { tone: 'danger', word: msg`Node on another branch` },
  node_disagreement: { tone: 'danger', word: msg`Nodes disagree` },
  watch_missed: { tone: 'danger', word: msg`Deposit was missed` },
  asset_changed: { tone: 'danger', word: msg`Contract changed` },
  hot_spent_outside: { tone: 'danger', word: msg`Hot wallet spent elsewhere` },
  ledger_imbalance: { tone: 'danger', word: msg`Ledger does not balance` },
  address_forged: { tone: 'danger', word: msg`Deposit address changed` },
  addresses_low: { tone: 'warning', word: msg`Few deposit addresses left` },
  collector_change_pending: { tone: 'danger', word: msg`Sweep contract changes` },
  secrets_unreadable: { tone: 'danger', word: msg`Secret cannot be opened` },
  hot_wallet_locked: { tone: 'danger', word: msg`Hot wallet locked` },
  hot_wallet_low: { tone: 'warning', word: msg`Hot wallet nearly empty` },
  send_stuck: { tone: 'danger', word: msg`Transaction stuck` },
  refund_unfunded: { tone: 'danger', word: msg`Refunded deposit dropped` },
  send_unbooked: { tone: 'danger', word: msg`Transaction not booked` },
  send_unproven: { tone: 'warning', word: msg`Transaction not decided` },
  permission_unproven: { tone: 'warning', word: msg`Approvals not decided` },
  delegations_low: { tone: 'warning', word: msg`Few delegations left` },
  sweep_failed: { tone: 'warning', word: msg`Sweep failed` },
  price_missing: { tone: 'warning', word: msg`No price` },
  peg_lost: { tone: 'warning', word: msg`Peg lost` },
  endpoint_failing: { tone: 'warning', word: msg`Endpoint failing` },
  endpoint_gone: { tone: 'warning', word: msg`Endpoint gone` },
  mail_failing: { tone: 'warning', word: msg`Mail not sent` },
  activity_log_broken: { tone: 'danger', word: msg`Audit log changed` },
  passkey_copied: { tone: 'danger', word: msg`Passkey copied` },
}

/** Returns what an alarm is about, unless what it says names it. */
export function alarmSubject({ subject }: Pick<Alarm, 'subject'>, text: string): string | undefined {
  return text.toLowerCase().includes(subject.toLowerCase()) ? undefined : subject
}

/** About a hot wallet on a network: what helps is to top it up, or to look at what was sent from it. */
const OF_HOT_WALLETS: ReadonlySet<AlarmKind> = new Set([
  'hot_wallet_low',
  'hot_wallet_locked',
  'hot_spent_outside',
  'send_stuck',
])

type Link = { readonly href: string; readonly label: string }

const webhooks = (): Link => ({ href: paths.developers({ tabId: 'webhooks' }), label: t`Open webhooks` })
const depositWallets = (): Link => ({ href: paths.depositWallets(), label: t`Open deposit wallets` })

/** The screen on which an operator acts on an alarm that is not about a network. */
const SCREENS: Readonly<Partial<Record<AlarmKind, () => Link>>> = {
  endpoint_failing: webhooks,
  endpoint_gone: webhooks,
  secrets_unreadable: () => ({ href: paths.vault(), label: t`Open the vault` }),
  collector_change_pending: depositWallets,
  addresses_low: depositWallets,
  delegations_low: () => ({ href: paths.sweeps(), label: t`Open approvals` }),
  sweep_failed: () => ({ href: paths.sweeps({ tabId: 'History', status: 'failed' }), label: t`Open failed sweeps` }),
  passkey_copied: () => ({ href: paths.members(), label: t`Open members` }),
  mail_failing: () => ({ href: paths.email(), label: t`Open e-mail` }),
  activity_log_broken: () => ({ href: paths.auditLog(), label: t`Open the audit log` }),
}

/** Returns where to act on an alarm; absent where no screen helps. */
export function alarmLink({ kind, subject }: Pick<Alarm, 'kind' | 'subject'>): Link | undefined {
  const id = OF_HOT_WALLETS.has(kind) ? / wallet (\d+)$/.exec(subject)?.[1] : undefined
  if (id !== undefined) return { href: paths.hotWallet({ id }), label: t`Open the wallet` }
  const screen = SCREENS[kind]?.()
  if (screen !== undefined) return screen
  const blockchain = findBlockchain(networkOf(kind, subject) ?? '')
  if (blockchain === undefined) return undefined
  const { code, name } = blockchain
  return {
    href: paths.blockchain({ code }),
    label: t({ message: `Open ${name}`, comment: 'a link to a network' }),
  }
}

/** The code of the network a subject names: it begins with it (BASE, BASE:USDC, BASE traces), or is "ETH on BASE (discrepancy 3)". */
function networkOf(kind: AlarmKind, subject: string): string | undefined {
  // A price belongs to a currency, which has the code of a network by chance: ETH is paid on several.
  if (kind === 'price_missing' || kind === 'peg_lost') return undefined
  return /^[A-Z0-9]+ on ([A-Z]+)\b/.exec(subject)?.[1] ?? /^[A-Z]+/.exec(subject)?.[0]
}
