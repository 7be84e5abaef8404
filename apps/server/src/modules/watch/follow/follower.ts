import type { ChainAdapter } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import type { BlockchainRow } from '../../blockchains/chains/service.ts'
import type { KnownAddresses } from '../matching/known-addresses.ts'
import type { Cursor } from '../blocks/cursor-store.ts'

/** What stays the same while one process follows one blockchain. */
export type Follower = {
  readonly ctx: Context
  readonly row: BlockchainRow
  readonly adapter: ChainAdapter
  readonly known: KnownAddresses
  /** Every asset that can be credited here. */
  readonly assets: ReadonlySet<number>
  readonly holder: string
}

/** What one poll passes on to the next. */
export type FollowerState = {
  cursor: Cursor | undefined
  /** Blocks read at once: grows while reading succeeds, falls to one after a failure. */
  span: number
  /** How often the very next block could not be read, alone. */
  failedReads: number
  /** Consecutive blocks that were read late, so that no node here could show their internal transfers. */
  untraced?: { readonly from: number; readonly to: number }
  /** When the newest blocks were committed, by the process's own clock. */
  steppedAt?: number
}
