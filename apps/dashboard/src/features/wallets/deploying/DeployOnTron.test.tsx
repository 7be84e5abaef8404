import { ownerCallData } from '@kassa/keys/vault-calls.ts'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { noteConnection } from '../../../lib/loading/server-reachable.ts'
import { AT, me, sandboxConfiguration } from '../../../testing/answers.ts'
import { blockchain } from '../../../testing/install-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../../testing/stub-server.ts'
import { announceTron, TRON_SIGNATURE, writtenCall } from '../../../testing/tron-wallet.ts'
import { DeployContract } from './DeployContract.tsx'

const OWNER = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const COLD = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'
const FACTORY = 'TVT47XAzaing2Tkm7Qf7yj678QSbeqpEXP'
const LOCAL = '0x7a6d'
const HASH = '9f'.repeat(32)
const CODE_HASH = '0x309c67890bde4c575dc23d2cc3b5c3a3d599e312e980e9b61b5bc8f3cd87c8bb'
const DRAFT = 'POST /blockchain-contract/blockchain/TRX/wallet-call'
const SEND = 'POST /blockchain-contract/blockchain/TRX/wallet-call/send'
const REGISTER = 'POST /wallets/deposit/scw/blockchains_contract/11'

let end: (() => void) | undefined
afterEach(() => {
  cleanup()
  noteConnection(true)
  end?.()
  vi.unstubAllGlobals()
  localStorage.clear()
})

function announce(more: { chainId?: string; sign?: () => Promise<unknown> } = {}) {
  const wallet = announceTron({ chainId: LOCAL, account: OWNER, ...more })
  end = wallet.end
  return wallet
}

const contract = (contractType: string, address: string | null) => ({
  ...{ id: contractType === 'factory_contract' ? 11 : 12, createdAt: AT, updatedAt: AT, blockchainCode: 'TRX' },
  ...{ blockchain_id: 3, contractType, abi: '[]', bytecode: '0x60', address, description: '', status: 'active' },
  ...{ currencyStandard: 'TRC20', codeHash: CODE_HASH, version: 1, source: 'release' },
})

const cold = {
  ...{ id: 5, createdAt: AT, updatedAt: AT, name: 'Ledger 1', family: 'TRX_Family', blockchainFamilyID: 3 },
  ...{ secretType: 'none', walletType: 'cold_wallet', walletSubType: 'eoa', memberID: 1, status: 'active' },
  ...{ default: true, canDelete: false, abi: null, bytecode: null, salt: null, masterAddress: null },
  ...{
    fund_sweeper_address: null,
    publicKey: null,
    address: COLD,
    balance: '0',
    externalPlatformWallets: [],
    pendingLinks: [],
  },
  ...{ walletScws: [], walletxpubs: [], walletFunctions: [], floatLimitInUSD: null, blockchainCode: 'TRX' },
  ...{ usableAt: AT, lastUsedAt: null, addressCount: 0, poolSize: 0 },
}

const drafted = (body: unknown, more: object = {}) => ({
  ...{ rawData: writtenCall(body), obstacle: null, gas: '60000', fee: '6', balance: '100', codeHash: CODE_HASH },
  ...more,
})

const base = (more: Answers = {}): Answers => ({
  'GET /member/me': () => me(),
  'GET /wallets': () => [cold],
  'GET /blockchains': () => [blockchain({ id: 3, code: 'TRX', name: 'TRON', chainID: 31_341, family: 'TRX_Family' })],
  'GET /configuration/default': () => sandboxConfiguration,
  'GET /blockchain-contract/blockchain/TRX/contract/factory_contract': () => contract('factory_contract', FACTORY),
  'GET /blockchain-contract/blockchain/TRX/contract/fund_sweeper': () => contract('fund_sweeper', null),
  [DRAFT]: ({ body }) => drafted(body),
  [SEND]: () => ({ transactionHash: HASH }),
  [REGISTER]: () => Response.json({ ...cold, walletType: 'deposit_wallet' }, { status: 201 }),
  ...more,
})

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** Up to what the owner is shown before anything is signed. */
async function toCheck() {
  renderScreen(<DeployContract />, '/manageWallet/sweepContract/deploy?network=TRX')
  await press('Connect wallet')
  await press('Continue')
}

async function toSign() {
  await toCheck()
  expect(await screen.findByText(/code hash equals the release/)).toBeDefined()
  await press('Continue')
  await press('Open in wallet')
}

describe('DeployContract with a wallet of TRON', () => {
  it('has the wallet sign what is shown, the server send it, and registers it', async () => {
    const { signed } = announce()
    const calls = stubServer(base())
    await toSign()
    expect(await screen.findByText(/^Verified\./)).toBeDefined()
    const [transaction] = signed
    const data = transaction?.raw_data.contract[0]?.parameter.value['data']
    const salt = `0x${String(data).slice(8, 72)}`
    expect(`0x${data}`).toBe(ownerCallData({ kind: 'createVault', salt, collector: COLD }))
    const sent = calls.find(({ path }) => path.endsWith('/wallet-call/send'))?.body
    expect(sent).toEqual({ rawData: transaction?.raw_data_hex, signature: TRON_SIGNATURE })
    expect(calls.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({ transactionHash: HASH })
  })

  it('signs no other call than the one that is shown', async () => {
    const { signed } = announce()
    const other = { from: OWNER, to: COLD, data: '0x1234' }
    const calls = stubServer(base({ [DRAFT]: () => drafted(other) }))
    await toSign()
    expect(await screen.findByText(/^The wallet didn’t say whether it sent/)).toBeDefined()
    expect(signed).toEqual([])
    expect(calls.some(({ path }) => path.endsWith('/send'))).toBe(false)
  })

  it.each([
    [{ codeHash: `0x${'00'.repeat(32)}` }, /^Other code than this release’s stands at the factory’s address/],
    [{ rawData: null, obstacle: 'short_of_coin', balance: '1' }, /^The account has too little for the network fee/],
    [{ rawData: null, obstacle: 'would_fail' }, /^The contract would revert this call/],
  ])('stops before anything is signed: %o', async (answer, words) => {
    announce()
    stubServer(base({ [DRAFT]: ({ body }) => drafted(body, answer) }))
    await toCheck()
    expect(await screen.findByText(words)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Continue' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('says that the wallet is on another network', async () => {
    announce({ chainId: '0xcd8690dc' })
    stubServer(base())
    await toCheck()
    expect(await screen.findByText('Your wallet is on another network. Switch to TRON.')).toBeDefined()
  })

  it('says that nothing was sent when the owner declined', async () => {
    announce({ sign: vi.fn<() => Promise<never>>().mockRejectedValue('Confirmation declined by user') })
    stubServer(base())
    await toSign()
    expect(await screen.findByText('You declined. Nothing was sent.')).toBeDefined()
  })

  it('shows why it was not taken', async () => {
    announce()
    stubServer(base({ [SEND]: () => refusal(409, 'TRANSACTION_REFUSED', 'The network did not take it.') }))
    await toSign()
    expect(await screen.findByText(/The network did not take it\./)).toBeDefined()
  })
})
