/** The owner's wallet makes a sweep contract: every step, and what may go wrong on the way. */
import type { Page } from 'playwright-core'

import { API, type Changes, HELD, refusal } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { press } from '../hand.ts'

const PATH = '/manageWallet/sweepContract/deploy'

const REGISTER = `POST ${API}/wallets/deposit/scw/blockchains_contract/*`
const AT = '2026-11-20T05:10:44.000Z'
const OWNER = '0x1111111111111111111111111111111111111111'

const COLD = {
  ...{ id: 5, createdAt: AT, updatedAt: AT, name: 'Ledger 1', family: 'ETH_Family', blockchainFamilyID: 1 },
  ...{ secretType: 'none', walletType: 'cold_wallet', walletSubType: 'eoa', memberID: 1, status: 'active' },
  ...{ default: true, canDelete: false, abi: null, bytecode: null, salt: null, masterAddress: null },
  ...{
    fund_sweeper_address: null,
    publicKey: null,
    balance: '0',
    externalPlatformWallets: [],
    pendingLinks: [],
    walletScws: [],
  },
  ...{ walletxpubs: [], walletFunctions: [], floatLimitInUSD: null, blockchainCode: 'ETH', usableAt: AT },
  ...{ lastUsedAt: null },
  ...{ addressCount: 0, poolSize: 0, address: '0x9F3a77C0bA51eDB4dfD5Ab2fa0Ef35b9c07801bc' },
}

/** What the owner's wallet of a sandbox answers; the contracts are those of the server. */
function answers(more: Readonly<Record<string, unknown>> = {}): Changes {
  return {
    [`${API}/wallets?walletType=cold_wallet*`]: () => [COLD],
    [REGISTER]: refusal(409, 'TRANSACTION_UNCONFIRMED', 'Wait.', { data: { confirmations: 1, required: 2 } }),
    ...more,
  }
}

/** The steps, in their order. */
const steps = ['Connect wallet', 'Continue', 'Continue', 'Open in wallet'] as const

function upTo(step: number): (page: Page) => Promise<void> {
  return async (page) => {
    for (const name of steps.slice(0, step)) await page.getByRole('button', { name, exact: true }).click()
  }
}

/** A new contract of Ethereum. */
export function deployScreens(): readonly Screen[] {
  const shown = { path: PATH, alters: answers() }
  return [
    ...inSet('A', [
      { ...shown, name: 'deploy-connect', shows: 'Connect wallet' },
      { ...shown, name: 'deploy-cold', shows: 'Ledger 1', act: upTo(1) },
      { ...shown, name: 'deploy-check', shows: /code hash equals the release/, act: upTo(2) },
      { ...shown, name: 'deploy-sign', shows: 'Open in wallet', act: upTo(3) },
      { ...shown, name: 'deploy-confirm', shows: '1 of 2 confirmations.', act: upTo(4) },
    ]),
    {
      ...shown,
      name: 'cold-wallet-deactivate',
      path: '/manageWallet/deposit-wallet',
      shows: /usable 24 hours after that/,
      isOverlay: true,
      act: async (page) => {
        await press(page, 'Actions for Ledger 1')
        await page.getByRole('menuitem', { name: /^Deactivate/ }).click()
      },
    },
    {
      ...shown,
      name: 'deploy-raw',
      shows: /^Sign and send this elsewhere/,
      act: async (page) => {
        await upTo(3)(page)
        await press(page, 'Show as raw transaction')
      },
    },
    {
      ...shown,
      name: 'deploy-no-cold',
      shows: /has no cold wallet yet/,
      alters: {
        ...answers({
          [`${API}/wallets?walletType=cold_wallet*`]: () => [],
        }),
      },
      act: upTo(1),
    },
    {
      ...shown,
      name: 'deploy-refused',
      shows: /Other code/,
      alters: answers({ [REGISTER]: refusal(409, 'CONTRACT_MISMATCH', 'Other code stands there.') }),
      act: upTo(4),
    },
    { ...shown, name: 'deploy-waiting', shows: 'Deploy sweep contract', alters: { [`${API}/blockchains*`]: HELD } },
    { ...shown, name: 'deploy-other-network', shows: /Your wallet is on another network/, act: withWallet({}, 2) },
    {
      ...shown,
      name: 'deploy-declined',
      shows: 'You declined. Nothing was sent.',
      act: withWallet({ eth_requestAccounts: null, eth_chainId: null, eth_sendTransaction: { code: 4001 } }, 4),
    },
    { ...shown, name: 'deploy-resumed', shows: /A deployment is waiting/, act: resume },
  ]
}

/**
 * Connects a wallet of the browser that answers as it is given; what it is not given is asked of the sandbox's. On its own
 * it is on Ethereum's main network.
 */
function withWallet(given: Readonly<Record<string, unknown>>, step: number): (page: Page) => Promise<void> {
  return async (page) => {
    const wallet = { eth_requestAccounts: [OWNER], eth_chainId: '0x1', ...given }
    await page.evaluate(`{
      const given = ${JSON.stringify(wallet)}
      const ask = async ({ method, params }) => {
        if (given[method]?.code) throw given[method]
        if (given[method] != null) return given[method]
        const { key } = JSON.parse(localStorage.getItem('user'))
        const answer = await fetch('/api/v1/sandbox/owner-wallet/ETH', {
          method: 'POST',
          headers: { 'API-Key': key, 'Content-Type': 'application/json' },
          body: JSON.stringify({ method, ...(params && { params }) }),
        })
        return (await answer.json()).result
      }
      const detail = { info: { uuid: 'fake', name: 'Fake', icon: '' }, provider: { request: ask } }
      const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
      addEventListener('eip6963:requestProvider', announce)
      announce()
    }`)
    await comeBack(page)
    await upTo(step)(page)
  }
}

/** What was sent before the page was closed. */
async function resume(page: Page): Promise<void> {
  const sent = { blockchainCode: 'ETH', factoryId: 11, vault: OWNER, transactionHash: `0x${'9f'.repeat(32)}` }
  await page.evaluate(`localStorage.setItem('kassa-deployment', JSON.stringify(${JSON.stringify(sent)}))`)
  await comeBack(page)
}

/** Opens the page again without loading it. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate("history.pushState({}, '', '/settings')")
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Deploy sweep contract' }).waitFor()
}
