import type { OwnerQuestion } from '@kassa/contract/sandbox/schemas.ts'
import type { Asset } from '@kassa/primitives/chains/assets.ts'
import type { BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'

import { height, mine, reorg } from './blocks.ts'
import type { LocalChain } from './local-chain.ts'
import { askOwner } from './owner/owner-wallet.ts'
import { payerAddress } from './payer-account.ts'

/** A transfer that is mined and on disk. */
export type Paid = { readonly txHash: string; readonly height: number }

/** What one can do on a local chain, whatever its family. */
export type SandboxChain = {
  readonly code: BlockchainCode
  /** The address all payments of the sandbox come from there. */
  readonly payer: string
  readonly height: () => Promise<number>
  /** Adds empty blocks and returns the new height. */
  readonly mine: (blocks: number) => Promise<number>
  /** Takes the newest blocks back and returns the height, which stays. @throws VALIDATION_FAILED when there are too few */
  readonly reorg: (depth: number) => Promise<number>
  readonly pay: (input: { asset: Asset; to: string; units: bigint }) => Promise<Paid>
  /** Sends a token that calls itself USDC and is not: what a careless or dishonest payer would send. */
  readonly payLookAlike: (input: { to: string; units: bigint }) => Promise<Paid>
  /** What the payer has of each seeded asset of the chain. */
  readonly balances: () => Promise<readonly { asset: Asset; units: bigint }[]>
  /** Answers as the wallet of the merchant would, who owns sweep contracts there. @throws VALIDATION_FAILED */
  readonly askOwner: (question: OwnerQuestion) => Promise<unknown>
}

/** A program that is not part of Kassa is missing; the message says which, to operators. */
export class NotInstalled extends Error {}

/** A local chain that runs only while its blockchain is switched on, with its node. */
export type LocalNode = {
  readonly url: string
  readonly chain: SandboxChain
  /** The same chain as its family knows it, where that is the EVM. */
  readonly evm?: LocalChain
  readonly stop: () => Promise<void>
}

/** A local chain of the EVM family. The wallet library is large and most starts never need it: it is loaded at the first payment. */
export function evmSandboxChain(chain: LocalChain): SandboxChain {
  const payer = () => import('./payer.ts')
  return {
    code: chain.code,
    payer: payerAddress,
    height: () => height(chain),
    mine: (blocks) => mine(chain, blocks),
    reorg: (depth) => reorg(chain, depth),
    pay: async (input) => (await payer()).payAsset(chain, input),
    payLookAlike: async (input) => (await payer()).payLookAlike(chain, input),
    balances: async () => (await payer()).balances(chain),
    askOwner: (question) => askOwner(chain, question),
  }
}
