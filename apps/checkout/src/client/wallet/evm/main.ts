import { payWith } from '../pay.ts'
import { evmWallets } from './providers.ts'

/** Pays from a wallet of an EVM network; the script that is loaded on demand. */
export function payWithWallet(steps: HTMLElement): Promise<void> {
  return payWith(evmWallets, steps)
}
