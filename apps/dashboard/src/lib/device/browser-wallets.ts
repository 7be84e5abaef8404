/** A wallet's door (EIP-1193). */
export type Provider = {
  readonly request: (call: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>
}

/** A wallet as it announces itself (EIP-6963). */
export type BrowserWallet = {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string }
  readonly provider: Provider
}

/** Wallets answer at once; a slow machine gets a little more. */
const ANNOUNCED_WITHIN_MS = 200

/** Asks the wallets of this browser to announce themselves, each once; none is asked for anything else. */
export function announcedWallets(): Promise<readonly BrowserWallet[]> {
  const found: BrowserWallet[] = []
  const hear = ({ detail }: CustomEvent<BrowserWallet>) => {
    if (found.every(({ info }) => info.uuid !== detail.info.uuid)) found.push(detail)
  }
  const listener = hear as unknown as EventListener
  window.addEventListener('eip6963:announceProvider', listener)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return new Promise((done) => {
    window.setTimeout(() => {
      window.removeEventListener('eip6963:announceProvider', listener)
      done(found)
    }, ANNOUNCED_WITHIN_MS)
  })
}

/** Its owner said no (EIP-1193). */
const DECLINED = 4001
/** It does not know the network (EIP-3326). */
const UNKNOWN_NETWORK = 4902

function codeOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined
}

/** Whether the wallet's owner declined. */
export function isDeclined(thrown: unknown): boolean {
  return codeOf(thrown) === DECLINED
}

/** Whether the wallet does not know the network it shall go to. */
export function isUnknownNetwork(thrown: unknown): boolean {
  return codeOf(thrown) === UNKNOWN_NETWORK
}

/** Asks for the account in use; the wallet asks its owner the first time. */
export async function accountOf(provider: Provider): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof first !== 'string') throw new TypeError('The wallet gave no account')
  return first
}

/** The id of the network that the wallet is on. */
export async function networkOf(provider: Provider): Promise<number> {
  return Number(await provider.request({ method: 'eth_chainId' }))
}

/** Asks the wallet to go to a network. */
export async function switchNetwork(provider: Provider, chainId: number): Promise<void> {
  const params = [{ chainId: `0x${chainId.toString(16)}` }]
  await provider.request({ method: 'wallet_switchEthereumChain', params })
}

/** What a wallet is asked to send. */
export type WalletCall = { readonly from: string; readonly to: string; readonly data: string; readonly chainId: number }

/** Asks the wallet to send a call; returns the hash of its transaction. */
export async function sendCall(provider: Provider, { chainId, ...call }: WalletCall): Promise<string> {
  const params = [{ ...call, value: '0x0', chainId: `0x${chainId.toString(16)}` }]
  const hash = await provider.request({ method: 'eth_sendTransaction', params })
  if (typeof hash !== 'string') throw new TypeError('The wallet gave no transaction')
  return hash
}

/** What a call takes in gas and what the account has for it, both in wei of the network's own coin. */
export async function costOf(
  provider: Provider,
  { from, to, data }: WalletCall,
): Promise<{ readonly gas: bigint; readonly fee: bigint; readonly balance: bigint }> {
  const ask = async (method: string, ...params: readonly unknown[]) =>
    BigInt(String(await provider.request({ method, params })))
  const gas = await ask('eth_estimateGas', { from, to, data })
  return { gas, fee: gas * (await ask('eth_gasPrice')), balance: await ask('eth_getBalance', from, 'latest') }
}

/** The code that stands at an address, as the wallet's own node says. */
export async function codeAt(provider: Provider, address: string): Promise<string> {
  return String(await provider.request({ method: 'eth_getCode', params: [address, 'latest'] }))
}
