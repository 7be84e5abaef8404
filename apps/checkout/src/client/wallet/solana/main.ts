import { payWith } from '../pay.ts'
import { solanaWallets } from './providers.ts'

/** Pays from a wallet of Solana; the script that is loaded when somebody wants it. */
export function payWithWallet(steps: HTMLElement): Promise<void> {
  return payWith(solanaWallets, steps)
}
