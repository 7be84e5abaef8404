import { accountOf } from '@kassa/keys/address-text.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Address, Chain, ChainSession } from '../adapter.ts'
import { chainIn, sessionAlone } from '../chain.ts'
import { connect } from '../node/client.ts'
import { addressText } from '../tron/addresses/addresses.ts'
import { fromHex } from '../tron/encoding/hex.ts'
import { type LocalTron, openLocalTron } from './tron-node/chain.ts'
import { serveLocalTron } from './tron-node/http-node.ts'

/** A local chain of TRON behind HTTP, with a payer who owns everything on it. */
export type TronChain = {
  readonly url: string
  readonly chain: Chain
  readonly local: LocalTron
  readonly payer: { readonly address: Address; readonly key: Uint8Array }
  readonly tokens: { readonly usdt: Address; readonly lookAlike: Address }
  readonly assets: { readonly native: number; readonly usdt: number }
  /** A new session with its node; of a chain that is described otherwise, if asked. */
  session(over?: Partial<Chain>): ChainSession
  stop(): Promise<void>
}

const CHAIN_ID = 31_341
const [TRX, USDT] = [3, 13]

/** The key of the payer; it is public, and owns nothing outside a local chain. */
const PAYER_KEY = fromHex('da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0')

/** Starts a local chain with the sandbox's tokens; in memory unless there is a file. */
export async function openTronChain(options: { file?: string; now?: () => Date } = {}): Promise<TronChain> {
  const payer = accountOf(secp256k1.getPublicKey(PAYER_KEY))
  const local = await openLocalTron({ chainId: CHAIN_ID, payer, ...options })
  const node = await serveLocalTron(local)
  const tokens = { usdt: tokenText(SANDBOX_TOKENS.usdt), lookAlike: tokenText(SANDBOX_TOKENS.lookAlikeUsdc) }
  const chain = sandboxChain(tokens.usdt)
  return {
    url: node.url,
    chain,
    local,
    payer: { address: addressText(payer), key: PAYER_KEY },
    tokens,
    assets: { native: TRX, usdt: USDT },
    session: (over = {}) => sessionAlone({ ...chain, ...over }, connect({ id: 1, url: node.url })),
    stop: () => node.stop(),
  }
}

function sandboxChain(usdt: Address): Chain {
  const definition = findBlockchain('TRX')
  if (!definition) throw new Error('There is no TRX')
  const listed = chainIn('mainnet', definition)
  return {
    ...listed,
    mode: 'sandbox',
    network: { name: 'local', chainId: CHAIN_ID, explorerAddress: '', explorerTransaction: '', publicNodes: [] },
    assets: listed.assets.map((asset) => (asset.id === USDT ? { ...asset, address: usdt } : asset)),
  }
}

function tokenText(address: string): Address {
  return addressText(fromHex(address.slice(2).toLowerCase()))
}
