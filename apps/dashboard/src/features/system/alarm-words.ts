import type { Alarm, AlarmKind } from '@kassa/contract/alarms/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

/** An alarm's kind as a word; what can credit or lose money is danger, the rest waits. */
export const ALARM_WORDS: Readonly<Record<AlarmKind, { readonly tone: 'danger' | 'warning'; readonly word: string }>> =
  {
    chain_behind: { tone: 'warning', word: 'Network behind' },
    chain_silent: { tone: 'warning', word: 'Network silent' },
    chain_halted: { tone: 'danger', word: 'Reading stopped' },
    block_quarantined: { tone: 'danger', word: 'Block put aside' },
    node_forked: { tone: 'danger', word: 'Node on another branch' },
    node_disagreement: { tone: 'danger', word: 'Nodes disagree' },
    watch_missed: { tone: 'danger', word: 'Deposit was missed' },
    asset_changed: { tone: 'danger', word: 'Contract changed' },
    books_broken: { tone: 'danger', word: 'Books broken' },
    price_missing: { tone: 'warning', word: 'No price' },
    peg_lost: { tone: 'warning', word: 'Peg lost' },
    endpoint_failing: { tone: 'warning', word: 'Endpoint failing' },
    endpoint_gone: { tone: 'warning', word: 'Endpoint gone' },
    mail_failing: { tone: 'warning', word: 'Mail not sent' },
  }

/** Returns what an alarm is about, unless its text names it. */
export function alarmSubject({ subject, text }: Pick<Alarm, 'subject' | 'text'>): string | undefined {
  return text.toLowerCase().includes(subject.toLowerCase()) ? undefined : subject
}

/** Returns where to act on an alarm; absent where no screen helps. */
export function alarmLink({
  kind,
  subject,
}: Pick<Alarm, 'kind' | 'subject'>): { href: string; label: string } | undefined {
  if (kind === 'endpoint_failing' || kind === 'endpoint_gone')
    return { href: '/developers?tabId=webhooks', label: 'Open webhooks' }
  // A subject begins with its blockchain's code: BASE, BASE:USDC, BASE traces.
  const blockchain = findBlockchain(/^[A-Z]+/.exec(subject)?.[0] ?? '')
  if (blockchain === undefined) return undefined
  return { href: `/settings/blockchains/${blockchain.code}`, label: `Open ${blockchain.name}` }
}
