import { payWith } from '../pay.ts'
import { tronWallets } from './providers.ts'

/** Pays from a wallet of TRON; the script that is loaded on demand. */
export function payWithWallet(steps: HTMLElement): Promise<void> {
  return payWith(tronWallets, steps)
}
