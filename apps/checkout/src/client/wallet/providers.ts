/** A wallet's door (EIP-1193). */
export type Provider = {
  readonly request: (call: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>
  readonly on?: (event: string, listener: () => void) => void
}

/** A wallet as it announces itself (EIP-6963). */
export type Wallet = {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string }
  readonly provider: Provider
}

/** Wallets answer at once; a slow machine gets a little more. */
const ANNOUNCED_WITHIN_MS = 200

/** Asks the wallets of this browser to announce themselves (EIP-6963), each once; none is asked for anything else. */
export async function announcedWallets(): Promise<readonly Wallet[]> {
  const wallets = new Map<string, Wallet>()
  const hear = (event: Event) => {
    const { detail } = event as CustomEvent<Wallet>
    if (detail.info.uuid !== '') wallets.set(detail.info.uuid, detail)
  }
  addEventListener('eip6963:announceProvider', hear)
  dispatchEvent(new Event('eip6963:requestProvider'))
  await new Promise((done) => setTimeout(done, ANNOUNCED_WITHIN_MS))
  removeEventListener('eip6963:announceProvider', hear)
  return [...wallets.values()]
}
