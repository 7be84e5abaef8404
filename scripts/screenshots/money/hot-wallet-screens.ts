/** The wallets whose keys the server holds: enough in them, too little, and more than was meant. */
import type { Page } from 'playwright-core'

import { API, type Changes, type Row } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { press } from '../hand.ts'

const PATH = '/manageWallet/hot-wallet'

const AT = '2026-11-20T05:10:44.000Z'
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const ON_TRON = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'

/** What a wallet may be used for, as the server names it. */
const uses = (activityType: string, walletID: number) => ({
  walletFunctions: [{ id: walletID, activityType, displayName: '', description: '', walletID }],
})

function wallet(more: Row): Row {
  return {
    ...{ id: 3, createdAt: AT, updatedAt: AT, name: 'Gas', family: 'TRX_Family', blockchainFamilyID: 3, balance: '0' },
    ...{ secretType: 'private_key', walletType: 'hot_wallet', walletSubType: 'eoa', memberID: 1, status: 'active' },
    ...{ default: true, canDelete: false, abi: null, bytecode: null, salt: null, masterAddress: null, publicKey: null },
    ...{
      fund_sweeper_address: null,
      address: ON_TRON,
      externalPlatformWallets: [],
      pendingLinks: [],
      walletScws: [],
      walletxpubs: [],
    },
    ...{ ...uses('trx_gas_wallet', 3), floatLimitInUSD: '500.00', blockchainCode: null, usableAt: null },
    ...{ lastUsedAt: AT },
    ...{ addressCount: 0, poolSize: 0, ...more },
  }
}

const evm = { family: 'ETH_Family', blockchainFamilyID: 1, address: ADDRESS }
const WALLETS = [
  wallet({ ...evm, ...uses('eth_hot_wallet', 1), id: 1, name: 'Payouts', floatLimitInUSD: '1000.00' }),
  wallet({ ...evm, ...uses('eth_gas_wallet', 2), id: 2, name: 'Gas', default: false }),
  wallet({ name: 'Gas on TRON' }),
  wallet({ id: 4, name: 'Wallet of the office in Kraków, until June', default: false, status: 'inactive' }),
]

function balance(walletID: number, [blockchainCode, currencyCode]: readonly [string, string], more: Row): Row {
  const named = { walletID, walletName: '', walletType: 'hot_wallet', address: null, blockchainCode, currencyCode }
  return { ...named, ledger: more['onChain'], held: '0', asOf: AT, stale: false, ...more }
}

const BALANCES = [
  balance(1, ['BASE', 'USDC'], { onChain: '1204.31', inUSD: '1204.31', held: '800' }),
  balance(1, ['BASE', 'ETH'], { onChain: '0.0123', inUSD: '38.40' }),
  balance(2, ['ETH', 'ETH'], { onChain: '0.051', inUSD: '159.12' }),
  balance(3, ['TRX', 'TRX'], { onChain: '2.5', inUSD: '0.68' }),
]

const LOW = {
  ...{ id: 1, kind: 'hot_wallet_low', subject: 'TRX wallet 3', text: 'Low.', since: AT },
  params: {
    ...{ walletID: 3, blockchainCode: 'TRX', currencyCode: 'TRX', address: ON_TRON, needed: '20.5', held: '2.5' },
  },
}

const LISTED: Changes = {
  [`${API}/wallets?walletType=hot_wallet*`]: () => WALLETS,
  [`${API}/wallets/balance*`]: () => BALANCES,
  [`${API}/system/alarms`]: () => [LOW],
}

/** The list with its warnings, one wallet, and every dialog. */
export function hotWalletScreens(): readonly Screen[] {
  const over = { path: PATH, isOverlay: true, alters: LISTED }
  const menu = (item: string) => async (page: Page) => {
    await press(page, 'Actions for Gas on TRON')
    await page.getByRole('menuitem', { name: item }).click()
  }
  return [
    ...inSet('A', [
      { name: 'hot-wallets', path: PATH, shows: /sweeps and payouts on TRON wait until about 18/, alters: LISTED },
      { ...over, name: 'hot-wallet-top-up', shows: 'Close', act: (page) => press(page, 'Top up') },
    ]),
    { name: 'hot-wallet', path: `${PATH}/1`, shows: 'USDC', alters: LISTED },
    { name: 'hot-wallet-missing', path: `${PATH}/999999`, shows: 'No such hot wallet' },
    {
      name: 'hot-wallets-none',
      path: PATH,
      shows: 'No hot wallet',
      alters: { ...LISTED, [`${API}/wallets?walletType=hot_wallet*`]: () => [] },
    },
    {
      ...over,
      name: 'hot-wallet-import',
      shows: 'Private key',
      act: async (page) => {
        await press(page, 'Add hot wallet')
        await page.getByRole('radio', { name: /^Import a key/ }).check()
      },
    },
    { ...over, name: 'hot-wallet-change', shows: 'Limit', act: menu('Change name and limit') },
    { ...over, name: 'hot-wallet-deactivate', shows: 'Cancel', act: menu('Deactivate') },
  ]
}
