import { readTronText } from '@kassa/keys/tron/address.ts'
import { writeRawTransaction } from '@kassa/keys/tron/transaction.ts'
import type { WalletTransaction } from '@kassa/keys/tron/wallet-transaction.ts'

/** The signature that the wallet gives. */
export const TRON_SIGNATURE = 'ab'.repeat(65)

type Answers = { readonly chainId: string; readonly account: string; readonly sign?: () => Promise<unknown> }

/** A wallet of TRON that announces itself (TIP-6963) until `end`, with what it was asked to sign. */
export function announceTron({ chainId, account, sign }: Answers) {
  const signed: WalletTransaction[] = []
  const provider = {
    tronWeb: {
      trx: {
        sign: async (transaction: WalletTransaction) => {
          signed.push(transaction)
          return sign === undefined ? { signature: [TRON_SIGNATURE] } : sign()
        },
      },
    },
    request: async ({ method }: { method: string }) => (method === 'eth_chainId' ? chainId : [account]),
  }
  const detail = { info: { uuid: 'tron', name: 'TronLink', icon: '' }, provider }
  const listener = () => void window.dispatchEvent(new CustomEvent('TIP6963:announceProvider', { detail }))
  window.addEventListener('TIP6963:requestProvider', listener)
  return { signed, end: () => window.removeEventListener('TIP6963:requestProvider', listener) }
}

/** A call as the server writes it for a wallet. */
export function writtenCall(body: unknown): string {
  const { from, to, data } = body as { from: string; to: string; data: string }
  const key = (text: string) => readTronText(text) ?? new Uint8Array(20)
  const bytes = Uint8Array.from((data.slice(2).match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16)))
  const raw = writeRawTransaction({
    message: { kind: 'call', from: key(from), to: key(to), units: 0n, data: bytes },
    refBlock: { bytes: new Uint8Array(2).fill(1), hash: new Uint8Array(8).fill(2) },
    createdAt: new Date('2026-11-20T05:00:00Z'),
    expiresAt: new Date('2026-11-20T05:10:00Z'),
    feeLimit: 1_000_000n,
  })
  return Array.from(raw, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
