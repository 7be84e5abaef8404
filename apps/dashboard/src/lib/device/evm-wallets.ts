import { codeHashOf } from '@kassa/keys/vault-calls.ts'

import { announcedBy, type BrowserWallet, type OwnerWallet, type WalletCall } from './owner-wallet.ts'

/** A wallet's door (EIP-1193). */
export type Provider = {
  readonly request: (call: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>
}

/** Finds the wallets of EVM networks in this browser (EIP-6963). */
export async function evmWallets(): Promise<readonly BrowserWallet[]> {
  const found = await announcedBy<Provider>('eip6963')
  return found.map(({ info, provider }) => ({ info, wallet: evmWallet(provider) }))
}

/** Makes a wallet of what speaks EIP-1193; what is read, its own node says, which this server does not choose. */
export function evmWallet(provider: Provider): OwnerWallet {
  const numberOf = async (method: string, ...params: readonly unknown[]) =>
    BigInt(String(await provider.request({ method, params })))
  const costOf = async ({ from, to, data }: WalletCall) => {
    const gas = await numberOf('eth_estimateGas', { from, to, data })
    return {
      gas,
      fee: gas * (await numberOf('eth_gasPrice')),
      balance: await numberOf('eth_getBalance', from, 'latest'),
    }
  }
  return {
    connect: async () => {
      const accounts = await provider.request({ method: 'eth_requestAccounts' })
      const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
      if (typeof first !== 'string') throw new TypeError('The wallet gave no account')
      return first
    },
    network: async () => Number(await provider.request({ method: 'eth_chainId' })),
    goTo: async (chainId) => {
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hexOf(chainId) }] })
    },
    inspect: async (call, codeHash) => {
      const code = String(await provider.request({ method: 'eth_getCode', params: [call.to, 'latest'] }))
      const isSameCode = codeHashOf(code) === codeHash
      return { isSameCode, cost: isSameCode ? await costOf(call) : undefined }
    },
    send: async ({ chainId, ...call }) => {
      const params = [{ ...call, value: '0x0', chainId: hexOf(chainId) }]
      const hash = await provider.request({ method: 'eth_sendTransaction', params })
      if (typeof hash !== 'string') throw new TypeError('The wallet gave no transaction')
      return hash
    },
  }
}

function hexOf(chainId: number): string {
  return `0x${chainId.toString(16)}`
}
