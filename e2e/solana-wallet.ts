/** A wallet of Solana in the browser: it announces itself (Wallet Standard) and signs with Solana's own library. */
import type { Page } from 'playwright-core'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit'

import { solanaPayerAccount } from '../apps/server/src/sandbox/solana/payer.ts'

/** A transaction as its library reads it. */
type Shown = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>

export type SolanaWallet = {
  readonly account: string
  /** What it was asked to sign so far, and for which network. */
  readonly asked: readonly { readonly chain: string; readonly message: Shown }[]
  /** What its owner says to the next question for a signature. */
  answer: 'confirm' | 'decline'
}

/** Puts the wallet into every page that is opened from now on; it holds the money of the sandbox's payer. */
export async function installSolanaWallet(page: Page): Promise<SolanaWallet> {
  const { keyPair } = await createKeyPairSignerFromPrivateKeyBytes(solanaPayerAccount.seed)
  const asked: { chain: string; message: Shown }[] = []
  const wallet: SolanaWallet = { account: solanaPayerAccount.address, asked, answer: 'confirm' }
  await page.exposeFunction('askSolanaWallet', async (chain: string, bytes: readonly number[]) => {
    const transaction = getTransactionDecoder().decode(Uint8Array.from(bytes))
    asked.push({ chain, message: getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) })
    if (wallet.answer === 'decline') return null
    return [...getTransactionEncoder().encode(await partiallySignTransaction([keyPair], transaction))]
  })
  await page.addInitScript(`{ const address = ${JSON.stringify(wallet.account)}; ${ANNOUNCE} }`)
  return wallet
}

/** As an extension does it: at once, and again whenever a page says that it is ready. */
const ANNOUNCE = `
  const chains = ['solana:mainnet', 'solana:devnet', 'solana:localnet']
  let accounts = []
  const wallet = {
    version: '1.0.0',
    name: 'Phantom',
    icon: 'data:image/svg+xml,',
    chains,
    get accounts() { return accounts },
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: (accounts = [{ address, chains, features: ['solana:signTransaction'] }]) }) },
      'standard:events': { version: '1.0.0', on: () => () => undefined },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ transaction, chain }) => {
          const signed = await window.askSolanaWallet(chain, [...transaction])
          if (signed === null) throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
          return [{ signedTransaction: Uint8Array.from(signed) }]
        },
      },
    },
  }
  const registerAt = (api) => api.register(wallet)
  addEventListener('wallet-standard:app-ready', ({ detail }) => registerAt(detail))
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: registerAt }))
`
