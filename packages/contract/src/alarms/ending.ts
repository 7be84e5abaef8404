import type { AlarmKind } from './schemas.ts'

/** How an alarm ends; null where only a person can close it. */
export const HOW_ALARMS_END: Readonly<Record<AlarmKind, string | null>> = {
  chain_behind: 'It ends when the reader has caught up.',
  chain_silent: 'It ends with the next block.',
  chain_halted: 'It ends when reading goes on: npm run resume-chain.',
  block_quarantined:
    'It ends when every block of this network could be read. Add another node, or a newer version of Kassa.',
  node_forked: 'It ends when the nodes agree, or when the node is turned on again or removed.',
  node_disagreement: null,
  watch_missed: null,
  asset_changed: null,
  ledger_imbalance: 'It ends with the first check in which the books agree with themselves and with the chains.',
  address_forged: null,
  price_missing: 'It ends with the first trustworthy price.',
  peg_lost: 'It ends when the coin is at its peg again.',
  endpoint_failing: 'It ends when the endpoint accepts a delivery, or is changed.',
  endpoint_gone: null,
  mail_failing: 'It ends with the first mail that the mail server takes, or when the mail server is removed.',
}
