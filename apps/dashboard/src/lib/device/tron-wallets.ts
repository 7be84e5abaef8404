import { readTronText, tronText } from '@kassa/keys/tron/address.ts'
import {
  connectTron,
  doorOfOldTronLink,
  type OldTronLink,
  signTron,
  switchTron,
  tronNetwork,
  type TronProvider,
} from '@kassa/keys/tron/injected-wallet.ts'
import { type WalletRequest, walletRequest } from '@kassa/keys/tron/wallet-transaction.ts'

import {
  announcedBy,
  type BrowserWallet,
  type Inspected,
  NothingToSign,
  type OwnerWallet,
  type WalletCall,
} from './owner-wallet.ts'

/** What the server's nodes do for a wallet that only signs: a page of ours has no way to any node. */
export type TronNodes = {
  readonly draft: (call: Pick<WalletCall, 'from' | 'to' | 'data'>) => Promise<
    NonNullable<Inspected['cost']> & {
      /** The bytes that are signed, as hex; null where something stands against it. */
      readonly rawData: string | null
      readonly obstacle: 'short_of_asset' | 'short_of_coin' | 'would_fail' | null
      readonly codeHash: string | null
    }
  >
  readonly send: (signed: { readonly rawData: string; readonly signature: string }) => Promise<string>
}

type Injected = { readonly tron?: TronProvider; readonly tronLink?: OldTronLink }

/** Finds the wallets of TRON in this browser: those that announce themselves (TIP-6963), else the one that is there (TIP-1193). */
export async function tronWallets(nodes: TronNodes): Promise<readonly BrowserWallet[]> {
  const found = await announcedBy<TronProvider>('TIP6963')
  if (found.length > 0) return found.map(({ info, provider }) => ({ info, wallet: tronWallet(provider, nodes) }))
  const { tron, tronLink } = window as Injected
  const provider = tron ?? (tronLink && doorOfOldTronLink(tronLink, () => undefined))
  const info = { uuid: 'tronlink', name: 'TronLink', icon: '' }
  return provider ? [{ info, wallet: tronWallet(provider, nodes) }] : []
}

function tronWallet(provider: TronProvider, nodes: TronNodes): OwnerWallet {
  return {
    connect: () => connectTron(provider),
    network: async () => Number(await tronNetwork(provider)),
    goTo: (chainId) => switchTron(provider, `0x${chainId.toString(16)}`),
    inspect: async ({ from, to, data }, codeHash) => {
      const { gas, fee, balance, obstacle, ...found } = await nodes.draft({ from, to, data })
      const isSameCode = found.codeHash === codeHash
      if (isSameCode && obstacle === 'would_fail') throw new NothingToSign(false)
      return { isSameCode, cost: isSameCode ? { gas, fee, balance } : undefined }
    },
    send: async (call) => {
      const { from, to, data } = call
      const { rawData, obstacle } = await nodes.draft({ from, to, data })
      if (rawData === null) throw new NothingToSign(obstacle !== 'would_fail')
      const request = walletRequest(rawData)
      if (!isCall(request, call)) throw new TypeError('The server wrote another call')
      return nodes.send({ rawData, signature: await signTron(provider, request.transaction) })
    },
  }
}

/** What the wallet is asked to sign is what this page shows: both are read from the same bytes. */
function isCall({ message }: WalletRequest, { from, to, data }: WalletCall): boolean {
  if (message.kind !== 'call' || message.units !== 0n || readTronText(from) === null) return false
  const asked = Array.from(message.data, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return tronText(message.from) === from && tronText(message.to) === to && `0x${asked}` === data.toLowerCase()
}
