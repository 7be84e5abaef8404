import { payWith } from '../pay.ts'
import { solanaWallets } from './providers.ts'

/** Pays from a wallet of Solana; the script that is loaded on demand. */
export function payWithWallet(steps: HTMLElement): Promise<void> {
  return payWith(solanaWallets, steps)
}
