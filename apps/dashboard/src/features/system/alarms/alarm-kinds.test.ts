import type { AlarmKind } from '@kassa/contract/alarms/schemas.ts'
import { describe, expect, it } from 'vitest'

import { alarmLink } from './alarm-kinds.ts'

describe('alarmLink', () => {
  it.each<[AlarmKind, string, string]>([
    ['chain_halted', 'ETH', '/settings/blockchains/ETH'],
    ['asset_changed', 'BASE:USDC', '/settings/blockchains/BASE'],
    ['watch_missed', 'BASE traces', '/settings/blockchains/BASE'],
    ['node_forked', 'POLYGON node 3 eth.example.com', '/settings/blockchains/POLYGON'],
    ['ledger_imbalance', 'ETH on BASE (discrepancy 3)', '/settings/blockchains/BASE'],
    ['ledger_imbalance', 'USDC on ETH (discrepancy 4)', '/settings/blockchains/ETH'],
    ['ledger_imbalance', 'ETH on BASE', '/settings/blockchains/BASE'],
    ['hot_spent_outside', 'BASE wallet 3', '/manageWallet/hot-wallet/3'],
    ['hot_wallet_low', 'ETH wallet 12', '/manageWallet/hot-wallet/12'],
    ['hot_wallet_locked', 'TRX wallet 4', '/manageWallet/hot-wallet/4'],
    ['send_stuck', 'POLYGON wallet 5', '/manageWallet/hot-wallet/5'],
    ['send_unproven', 'TRX send 9', '/settings/blockchains/TRX'],
    ['permission_unproven', 'TRX permissions', '/settings/blockchains/TRX'],
    ['sweep_failed', 'USDC on BASE wallet 2', '/sweepIn?tabId=History&status=failed'],
    ['addresses_low', 'wallet 7 family 4', '/manageWallet/deposit-wallet'],
    ['mail_failing', 'mail', '/settings/email'],
    ['activity_log_broken', 'activity log', '/settings/audit-log'],
    ['endpoint_failing', 'ETH on BASE', '/developers?tabId=webhooks'],
  ])('leads from %s about %s to %s', (kind, subject, href) => {
    expect(alarmLink({ kind, subject })?.href).toBe(href)
  })

  it.each<[AlarmKind, string]>([
    ['price_missing', 'ETH'],
    ['peg_lost', 'USDC'],
    ['ledger_imbalance', 'books'],
    ['ledger_imbalance', 'ETH on NOWHERE (discrepancy 5)'],
  ])('leads from %s about %s to no network', (kind, subject) => {
    expect(alarmLink({ kind, subject })).toBeUndefined()
  })
})
